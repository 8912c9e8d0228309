#if CommandLine
  /// The address of a fleet's database as somebody has written it, and what may be secret in it.
  enum FleetAddress {
    /// The variable that names it for every verb.
    static let variable = "FRESHSTORE_FLEET"

    /// The address that the environment names; `nil` for none.
    static var ofEnvironment: String? {
      Process.variable(variable).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// True where a part of it may be a password or another secret, also if it is written wrong: rather once too
    /// often.
    static func mayHoldSecret(_ text: String) -> Bool {
      let words = decoded(text).lowercased()
      if words.contains(/(?:password|secret|_key)\s*=/.matchingSemantics(.unicodeScalar)) {
        return true
      }
      // By bytes: a combining mark turns a colon into another character, and not the address into another.
      let bytes = Array(text.utf8)
      let scheme = bytes.firstRange(of: Array("://".utf8))
      // What stands before an @ is a user; in words it may be anything.
      guard scheme != nil || !bytes.contains(UInt8(ascii: "=")) else { return false }
      let rest = bytes[(scheme?.upperBound ?? 0)...]
      guard let end = rest.lastIndex(of: UInt8(ascii: "@")) else { return false }
      return rest[..<end].contains(UInt8(ascii: ":"))
    }

    /// What is wrong with arguments that show a secret to whoever lists the processes; `nil` for none that do.
    ///
    /// Messages about wrong arguments repeat them, so this comes first.
    static func problem(of arguments: [String]) -> String? {
      let own = arguments.dropFirst().prefix { $0 != "--" }
      let isOfFleet = own.first == "fleet" || own.prefix(2) == ["help", "fleet"]
      var before = ""
      for word in own {
        defer { before = word }
        let isValue = isOfFleet || before == "--fleet"
        guard let text = address(in: word, isValue: isValue), mayHoldSecret(text) else { continue }
        return
          "the address of the fleet holds a password, and everybody can list the arguments of a "
          + "process: put the address into \(variable), or keep the password in ~/.pgpass or in a "
          + "service file of libpq (service=NAME)"
      }
      return nil
    }

    /// The part of an argument that may be an address.
    private static func address(in word: String, isValue: Bool) -> String? {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard word.hasPrefix("-"), parts.count > 1 else { return isValue ? word : nil }
      // A mistyped option is repeated with its value.
      let isDatabase = ["postgres://", "postgresql://"].contains { parts[1].hasPrefix($0) }
      return isDatabase || parts[0] == "--fleet" ? String(parts[1]) : nil
    }

    /// The text without percent encoding: libpq decodes the names of options, too.
    private static func decoded(_ text: String) -> String {
      var bytes: [UInt8] = []
      var rest = Array(text.utf8)[...]
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), rest.count > 1,
          let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        {
          bytes.append(code)
          rest = rest.dropFirst(2)
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
#endif
