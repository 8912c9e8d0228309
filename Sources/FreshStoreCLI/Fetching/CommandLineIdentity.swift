#if CommandLine
  internal import ArgumentParser
  internal import FreshHTTP
  internal import Platform

  /// The identity of a command: the path of its program, its arguments, and the facts that its caller names.
  ///
  /// The arguments and the facts may hold secrets, so that only their fingerprint is kept.
  struct CommandLineIdentity: Sendable {
    private let name: String
    private let fingerprint: String

    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - facts: The other inputs of the command: ``CommandKeyOptions/facts``.
    init(_ words: [[UInt8]], _ facts: [[UInt8]] = []) {
      let program = words.first ?? []
      name = PathName.split(String(decoding: program, as: UTF8.self)).name
      var fingerprint = Fingerprint()
      // The count separates the words from the facts.
      fingerprint.add("\(words.count)")
      // No word holds a NUL, so that a NUL ends each.
      for word in [ProgramPath.resolved(program)] + words + facts { fingerprint.add(word + [0]) }
      self.fingerprint = fingerprint.description
    }

    /// The key of the output when the user names none.
    var key: String { "\(String(name.prefix(200)))#\(fingerprint)" }

    /// The metadata that is stored with the output.
    var metadata: String { Self.marker + fingerprint }

    /// True when the stored output is another command's. An output without this metadata, such as an imported one,
    /// may be from any command.
    func differs(from metadata: String?) -> Bool {
      guard let metadata, metadata.hasPrefix(Self.marker) else { return false }
      return metadata != self.metadata
    }

    private static let marker = "command#"
  }

  /// The facts that identify a command without a key, beside its program and its arguments.
  struct CommandKeyOptions: ParsableArguments {
    @Flag(
      help: """
        The output of a command without a key depends on the working directory: each directory has its \
        own copy.
        """)
    var cwd = false

    @Option(
      name: .customLong("env"),
      help: ArgumentHelp(
        """
        The output of a command without a key depends on this variable of the environment: each of its \
        values has its own copy. May be repeated.
        """, valueName: "name"))
    var variables: [String] = []

    func validate() throws {
      if variables.contains(where: { $0.isEmpty || $0.contains("=") }) {
        throw ValidationError("--env takes the name of a variable alone, such as --env KUBECONFIG")
      }
    }

    /// Refuses the options when they distinguish nothing.
    func check(hasKey: Bool, hasCommand: Bool) throws {
      guard cwd || !variables.isEmpty else { return }
      guard hasCommand else {
        throw ValidationError("--cwd and --env are for a command after --; leave them out")
      }
      guard !hasKey else {
        throw ValidationError(
          "--cwd and --env tell commands without a key apart; leave them out, or the key")
      }
    }

    /// The facts for a ``CommandLineIdentity``.
    var facts: [[UInt8]] {
      let folder = cwd ? [Array("cwd".utf8), ProgramPath.workingFolder] : []
      return folder
        + Set(variables).sorted().flatMap { name -> [[UInt8]] in
          let value = ProgramPath.variable(name)
          return [Array((value == nil ? "unset" : "env").utf8), Array(name.utf8), value ?? []]
        }
    }
  }

  /// The path of the program that a name means. Paths are bytes: two paths may differ in bytes that are not UTF-8.
  enum ProgramPath {
    /// The program's absolute path, with the links of its folder resolved; the name itself when no program is found.
    ///
    /// - Parameter name: A path when it holds a slash, else a name to look for in `PATH`, as in ``ChildProgram``.
    static func resolved(_ name: [UInt8]) -> [UInt8] {
      guard !name.contains(slash) else { return absolute(name) ?? name }
      let folders = (variable("PATH") ?? Array("/bin:/usr/bin".utf8))
        .split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      for folder in folders {
        // An empty name means the working folder.
        let path = (folder.isEmpty ? [UInt8(ascii: ".")] : Array(folder)) + [slash] + name
        if isProgram(path) { return absolute(path) ?? path }
      }
      return name
    }

    /// The working folder, with links resolved; empty when it was removed.
    static var workingFolder: [UInt8] { resolved(folder: Array(".".utf8)) ?? [] }

    /// The bytes of an environment variable; `nil` when it is not set.
    static func variable(_ name: String) -> [UInt8]? {
      unsafe getenv(name).map { unsafe bytes($0) }
    }

    private static let slash = UInt8(ascii: "/")

    private static func absolute(_ path: [UInt8]) -> [UInt8]? {
      guard let end = path.lastIndex(of: slash),
        let folder = resolved(folder: Array(path[...end]))
      else { return nil }
      return (folder == [slash] ? [] : folder) + path[end...]
    }

    private static func resolved(folder: [UInt8]) -> [UInt8]? {
      guard let path = unsafe realpath(folder.map(CChar.init(bitPattern:)) + [0], nil) else {
        return nil
      }
      defer { unsafe free(path) }
      return unsafe bytes(path)
    }

    private static func isProgram(_ path: [UInt8]) -> Bool {
      let path = path.map(CChar.init(bitPattern:)) + [0]
      var status = stat()
      return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && access(path, X_OK) == 0
    }

    private static func bytes(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
      let count = unsafe strlen(text)
      return unsafe UnsafeBufferPointer(start: text, count: count).map(UInt8.init(bitPattern:))
    }
  }
#endif
