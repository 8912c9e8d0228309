#if CommandLine
  import ChildProcess
  import Foundation
  import Glibc
  import Testing

  /// `freshstore serve` as a process, on any free port.
  final class RunningGateway: Sendable {
    /// Where clients find it, without a slash at the end.
    let base: String
    /// Where operators find it; `nil` where they have no listener.
    let admin: String?
    private let process: ChildProcess

    /// Starts one on the store of a playground; returns once it listens.
    ///
    /// - Parameter hasAdmin: True for a listener for operators.
    init(_ playground: Playground, hasAdmin: Bool = false, _ arguments: [String]) async throws {
      let port = hasAdmin ? ["--admin", "127.0.0.1:0"] : []
      // The gateway writes the address of that listener to standard error.
      let process = try ChildProcess(
        "/bin/sh",
        [
          "-c", hasAdmin ? "exec \"$0\" \"$@\" 2>&1" : "exec \"$0\" \"$@\"",
          ChildProcess.folder + "/freshstore", "serve", "--listen", "127.0.0.1:0", "--db",
          playground.database,
        ] + port + arguments)
      let clients = await Self.line(of: process, after: "listening on ")
      let figures = hasAdmin ? await Self.line(of: process, after: "freshstore: figures on ") : ""
      self.process = process
      base = try #require(clients)
      let operators = try #require(figures)
      admin = hasAdmin ? operators.replacingOccurrences(of: "/metrics", with: "") : nil
    }

    /// The rest of the next line, which begins with these words.
    private static func line(of process: ChildProcess, after words: String) async -> String? {
      let line = await process.line()
      return line.hasPrefix(words) ? String(line.dropFirst(words.count)) : nil
    }

    /// The port that clients connect to.
    var port: Int { Int(base.split(separator: ":").last ?? "") ?? 0 }

    /// The number of its process.
    var identifier: Int32 { process.identifier }

    func signal(_ number: Int32) { process.signal(number) }

    /// The lines that the gateway writes from now on, up to its end.
    func rest() async -> String {
      var lines: [String] = []
      while let line = await process.nextLine() { lines.append(line) }
      return lines.joined(separator: "\n")
    }

    /// Waits for its end; its exit code, or 128 and the signal that ended it. To be called once.
    func end() async -> Int32 { await process.end() }

    /// Ends it in order; its exit code.
    func stop() async -> Int32 {
      signal(SIGTERM)
      return await end()
    }
  }
#endif
