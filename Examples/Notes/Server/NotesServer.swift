#if HTTP
  internal import Foundation
  internal import NotesBoard
  internal import OriginServer

  /// The server of the notes: `NotesServer [HOST [PORT]]`, by default 127.0.0.1 and any free port.
  /// Each request is a line on standard error, begun by the time in milliseconds. A signal ends it,
  /// and the notes with it.
  @main
  enum NotesServer {
    static func main() async {
      let arguments = CommandLine.arguments.dropFirst()
      let port = arguments.count > 1 ? arguments.last.flatMap { Int(UInt16($0) ?? 0) } ?? 0 : 0
      do {
        let board = NoteBoard()
        let server = try await OriginServer.start(
          host: arguments.first ?? "127.0.0.1", port: port
        ) { request in
          let arrival = Int(Date.now.timeIntervalSince1970 * 1000)
          let response = board.answer(request)
          write(
            "\(arrival) \(request.method) \(request.path) \(response.status)", to: .standardError)
          return response
        }
        write("listening on \(server.url(""))", to: .standardOutput)
        await Gate().wait()
      } catch {
        write("notes-server: \(error)", to: .standardError)
        exit(69)
      }
    }

    private static func write(_ line: String, to file: FileHandle) {
      file.write(Data((line + "\n").utf8))
    }
  }
#else
  /// Without the trait HTTP there is nothing to serve with.
  @main
  enum NotesServer {
    static func main() {
      print("notes-server: built without the trait HTTP; build it with that trait")
    }
  }
#endif
