internal import BenchmarkKit
internal import Foundation

/// A server of the comparison, while it runs.
struct RunningServer {
  let name: String
  let port: UInt16
  let processes: ProcessTree
  private let server: Server

  /// Starts it, and waits until it answers.
  init(_ name: String, _ command: [String], in folder: URL, on port: UInt16) async throws {
    (self.name, self.port) = (name, port)
    let server = try Server(command, in: folder, endedBy: Self.signal)
    do {
      try await Server.whenUp {
        guard try Request.get("/small/up", on: port).status == 200 else {
          throw BenchmarkFailure(words: "it answers with errors")
        }
      }
    } catch {
      // The server's log may tell the reason; a log that cannot be read adds nothing.
      let log = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
      throw BenchmarkFailure(words: "\(name) has not come up: \(error); \(log.suffix(1000))")
    }
    self.server = server
    processes = ProcessTree(root: try server.number)
  }

  /// Ends it, and waits until it has ended.
  func end() throws { try server.end() }

  /// The signal after which all of them end.
  static let signal = "TERM"
}
