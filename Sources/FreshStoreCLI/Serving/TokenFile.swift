#if CommandLine
  internal import FreshGateway

  /// The file with the tokens of operators, one a line.
  struct TokenFile: Sendable {
    let tokens: OperatorTokens
    private let path: String

    init(_ path: String) throws(CommandFailure) {
      self.path = path
      tokens = OperatorTokens(try Self.read(path))
    }

    /// Reads the file again; one that cannot be used changes nothing.
    func reread() throws(CommandFailure) { tokens.replace(by: try Self.read(path)) }

    private static func read(_ path: String) throws(CommandFailure) -> [String] {
      let bytes = try PrivateFile.read(path, holding: "the tokens")
      let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      guard !lines.isEmpty, lines.allSatisfy(isToken) else {
        throw CommandFailure(
          .usage,
          "the tokens in \(path.debugDescription) are lines of \(shortest) or more visible characters, as "
            + "from openssl rand -hex 32")
      }
      return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func isToken(_ line: ArraySlice<UInt8>) -> Bool {
      line.count >= shortest && line.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static let shortest = 16
  }
#endif
