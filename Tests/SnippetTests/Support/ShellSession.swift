#if CommandLine
  import BuiltCommand
  import Foundation
  import FreshStoreTesting
  import Subprocess

  /// Blocks of a page as a reader runs them: from top to bottom in one shell, in a home that is empty at
  /// first, with the command that lies beside the tests.
  struct ShellSession {
    /// The output of each block, on both streams. A block that failed is the last.
    let outputs: [String]
    /// The exit code of the shell, not 0 when a block failed; the negative number of a signal that
    /// ended it.
    let status: Int32

    /// The home that pages show.
    static let home = "/home/me"

    /// Runs blocks.
    ///
    /// - Parameters:
    ///   - port: The port of the origin that replaces the servers in the pages.
    ///   - database: The database that replaces the database of a fleet.
    init(running blocks: [String], port: Int, database: PageDatabase? = nil) async throws {
      let home = try TemporaryFolder()
      let mark = "the end of a block"
      let parts = blocks.map { "\(Self.directed($0, to: port))\nprintf '\\n%s\\n' '\(mark)'" }
      let script = (["exec 2>&1", "set -e", "cd"] + parts).joined(separator: "\n")
      let result = try await Subprocess.run(
        .name("sh"), arguments: ["-c", script],
        environment: .custom(try Self.variables(home, database)),
        output: .string(limit: 1 << 22), error: .string(limit: 1 << 20))
      let text = result.standardOutput.replacing(home.path, with: Self.home)
      let pieces = text.components(separatedBy: "\n\(mark)\n")
      outputs = Array(pieces.prefix(blocks.count))
      status =
        switch result.terminationStatus {
        case .exited(let code): code
        case .signaled(let number): -number
        }
    }

    /// Lets commands ask the origin on a port, whom else they would ask.
    private static func directed(_ commands: String, to port: Int) -> String {
      commands.replacing("https://example.org", with: "http://localhost:\(port)")
        .replacing("localhost:8080", with: "localhost:\(port)")
    }

    private static func variables(
      _ home: TemporaryFolder, _ database: PageDatabase?
    ) throws -> [Environment.Key: String] {
      var environment = try BuiltCommand.environment(in: URL(fileURLWithPath: home.path))
      environment.merge(try database?.variables(in: home) ?? [:]) { $1 }
      return Dictionary(
        uniqueKeysWithValues: environment.map { (.init(stringLiteral: $0.key), $0.value) })
    }
  }
#endif
