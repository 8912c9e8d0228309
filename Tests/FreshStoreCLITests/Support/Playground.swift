#if CommandLine
  import BuiltCommand
  import Foundation
  import FreshStoreTesting
  import Glibc
  import Subprocess
  import Testing

  /// A folder of one test's own, with a store in it and the real executable to work on it.
  ///
  /// Every run is a process with pipes of its own, so the suites are serialized: all at once, the
  /// tests would run out of descriptors.
  final class Playground: Sendable {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The folder.
    var path: String { folder.path }
    /// The store.
    var database: String { file("store.db") }

    /// The path of a file in the folder.
    func file(_ name: String) -> String { folder.file(name) }

    /// The result of a run.
    struct Run: Sendable {
      /// The exit code; the negative number of the signal that ended it.
      let status: Int32
      let output: [UInt8]
      let error: String

      var text: String { String(decoding: output, as: UTF8.self) }

      /// Standard output as one JSON object.
      var object: [String: Any] {
        get throws {
          let json = try JSONSerialization.jsonObject(with: Data(output))
          return try #require(json as? [String: Any])
        }
      }
    }

    /// Runs the command on the store; `--db` and `--online` are added after the verb, because the
    /// machine may be without a network.
    func run(
      _ verb: String, _ arguments: String..., input: [UInt8]? = nil,
      during body: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> Run {
      let network = verb == "get" && !arguments.contains("--offline") ? ["--online"] : []
      return try await run(
        [verb, "--db", database] + network + arguments, input: input, during: body)
    }

    /// Runs the command with these arguments, and does something while it runs.
    func run(
      _ arguments: [String], environment: [String: String] = [:], input: [UInt8]? = nil,
      during body: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> Run {
      guard let input else {
        return try await run(.name("freshstore"), Arguments(arguments), environment, during: body)
      }
      // From a file: a command that does not read it leaves no writer behind.
      try Data(input).write(to: URL(fileURLWithPath: file("input")))
      let script = "exec freshstore \"$@\" < \"$folder/input\""
      return try await run(
        .name("sh"), Arguments(["-c", script, "sh"] + arguments), environment, during: body)
    }

    /// Runs the executable with these arguments alone.
    func runAlone(
      _ arguments: [String], environment: [String: String] = [:],
      during body: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> Run {
      try await run(.name("freshstore"), Arguments(arguments), environment, during: body)
    }

    /// All verbs that the command has, as `get` and `outbox list`.
    func verbs() async throws -> [String] {
      let dump = try await runAlone(["--experimental-dump-help"]).object
      return verbs(below: dump["command"]).filter { $0 != "help" }
    }

    private func verbs(below command: Any?) -> [String] {
      let subcommands = (command as? [String: Any])?["subcommands"] as? [[String: Any]] ?? []
      return subcommands.flatMap { verb in
        let name = verb["commandName"] as? String ?? ""
        let inner = verbs(below: verb)
        return inner.isEmpty ? [name] : inner.map { "\(name) \($0)" }
      }
    }

    /// Runs the executable with arguments of any bytes.
    func run(bytes arguments: [[UInt8]]) async throws -> Run {
      // The library wants the NUL that ends an argument for the system.
      let ended = arguments.map { $0 + [0] }
      return try await run(
        .name("freshstore"), Arguments(executablePathOverride: nil, remainingValues: ended))
    }

    /// Runs a script of the shell; `$db` is the store, `$folder` the folder.
    func runShell(
      _ script: String, environment: [String: String] = [:],
      during body: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> Run {
      try await run(.name("sh"), ["-c", script], environment, during: body)
    }

    /// Makes a named pipe in the folder.
    func pipe(_ name: String) throws -> NamedPipe { try NamedPipe(folder.file(name)) }

    /// The number of lines of a file in the folder; 0 when it is missing.
    func lines(_ name: String) throws -> Int {
      guard FileManager.default.fileExists(atPath: folder.file(name)) else { return 0 }
      return try String(contentsOfFile: folder.file(name), encoding: .utf8)
        .split(separator: "\n").count
    }

    private func run(
      _ program: Executable, _ arguments: Arguments,
      _ environment: [String: String] = [:],
      during body: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> Run {
      var variables: [Environment.Key: String] = ["db": database, "folder": path]
      let own = try BuiltCommand.environment(in: URL(fileURLWithPath: path))
      for (name, value) in own.merging(environment, uniquingKeysWith: { $1 }) {
        variables[.init(stringLiteral: name)] = value
      }
      let result = try await Subprocess.run(
        program, arguments: arguments,
        environment: .custom(variables), input: .none,
        output: .bytes(limit: 1 << 22), error: .string(limit: 1 << 20)
      ) { execution in try await body(execution.processIdentifier.value) }
      let status: Int32 =
        switch result.terminationStatus {
        case .exited(let code): code
        case .signaled(let number): -number
        }
      return Run(status: status, output: result.standardOutput, error: result.standardError)
    }
  }
#endif
