#if HTTP
  internal import Foundation
  internal import OriginServer

  /// A small origin to try a cache against: `GET /news` is fresh for two seconds and answers 304 to
  /// its entity tag; `POST /news` publishes a new edition. Everything else is 404. A signal ends it.
  @main
  enum DemoOrigin {
    static func main() async {
      do {
        let options = try Options(CommandLine.arguments.dropFirst())
        let news = News()
        let server = try await OriginServer.start(port: options.port) { request in
          let response = news.answer(request)
          if options.logs {
            write("\(request.method) \(request.path) \(response.status)", to: .standardError)
          }
          return response
        }
        write("listening on \(server.url(""))", to: .standardOutput)
        await Gate().wait()
      } catch {
        write("demo-origin: \(error)", to: .standardError)
        exit(error is Options.Refusal ? 64 : 69)
      }
    }

    private static func write(_ line: String, to file: FileHandle) {
      file.write(Data((line + "\n").utf8))
    }
  }
#else
  /// Without the trait HTTP there is no origin to run.
  @main
  enum DemoOrigin {
    static func main() {
      print("demo-origin: built without the trait HTTP; build it with that trait")
    }
  }
#endif
