#if CommandLine
  internal import FreshHTTP
  internal import Platform

  /// What tells one command from another: the path of its program, its arguments, and the facts that its caller
  /// names. The arguments and the facts, which may hold secrets, are not kept: a fingerprint of them is.
  struct CommandLineIdentity: Sendable {
    private let name: String
    private let fingerprint: String

    /// - Parameters:
    ///   - words: The program, and its arguments.
    ///   - facts: What else its output depends on: ``CommandKeyOptions/facts``.
    init(_ words: [[UInt8]], _ facts: [[UInt8]] = []) {
      let program = words.first ?? []
      name = PathName.split(String(decoding: program, as: UTF8.self)).name
      var fingerprint = Fingerprint()
      // Counted, as the facts follow the words.
      fingerprint.add("\(words.count)")
      // None holds a NUL, so one ends each.
      for word in [ProgramPath.resolved(program)] + words + facts { fingerprint.add(word + [0]) }
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
