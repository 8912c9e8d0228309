#if CommandLine
  internal import FreshHTTP
  internal import Platform

  /// What tells one command with its arguments from another. The arguments, which may hold secrets, are
  /// not kept: a fingerprint of them is.
  struct CommandLineIdentity: Sendable {
    private let name: String
    private let fingerprint: String

    /// - Parameter words: The program, and its arguments.
    init(_ words: [[UInt8]]) {
      let program = String(decoding: words.first ?? [], as: UTF8.self)
      name = PathName.split(program).name
      var fingerprint = Fingerprint()
      // No argument holds a NUL, so one ends each.
      for word in words { fingerprint.add(word + [0]) }
      self.fingerprint = fingerprint.description
    }

    /// The key of its output where the user names none.
    var key: String { "\(String(name.prefix(200)))#\(fingerprint)" }

    /// What is stored beside its output.
    var metadata: String { Self.marker + fingerprint }

    /// True when the output of another command is stored. An output without a name of its command, such
    /// as an imported one, may be anybody's.
    func differs(from metadata: String?) -> Bool {
      guard let metadata, metadata.hasPrefix(Self.marker) else { return false }
      return metadata != self.metadata
    }

    private static let marker = "command#"
  }
#endif
