#if CommandLine
  /// The logins by host in the text of a netrc file, in its order.
  struct NetrcLogins: Sendable {
    /// The name and the password for a host.
    struct Login: Sendable, Equatable {
      var name: [UInt8]?
      var password: [UInt8]?
    }

    private enum Keyword: String {
      case machine, `default`, login, password, account, macdef
    }

    private struct Entry {
      /// In lower case; `nil` for every host.
      let host: String?
      var login = Login()
    }

    private var entries: [Entry] = []

    init(_ text: [UInt8]) throws(NetrcScanner.Problem) {
      var scanner = NetrcScanner(text)
      while let word = try scanner.next() {
        guard word.first != UInt8(ascii: "#") else {
          scanner.skipLine()
          continue
        }
        let name = String(decoding: word, as: UTF8.self).lowercased()
        guard let keyword = Keyword(rawValue: name) else {
          throw scanner.problem(
            "has a word where machine, default, login, password, account or macdef is due; put a value "
              + "with spaces into double quotes")
        }
        switch keyword {
        case .machine:
          let host = String(decoding: try scanner.value(of: name), as: UTF8.self).lowercased()
          entries.append(Entry(host: host))
        case .default: entries.append(Entry(host: nil))
        case .macdef: scanner.skipMacro()
        case .login, .password, .account:
          let value = try scanner.value(of: name)
          guard let last = entries.indices.last else {
            throw scanner.problem("has a \(name) of no machine; begin with machine HOST")
          }
          if keyword == .login {
            guard !value.contains(UInt8(ascii: ":")) else {
              throw scanner.problem("has a login with a colon, which HTTP cannot send (RFC 7617)")
            }
            entries[last].login.name = value
          } else if keyword == .password {
            entries[last].login.password = value
          }
        }
      }
    }

    /// The login for a host; `nil` when there is no entry for it. As in curl, the first entry for the host or for all
    /// hosts counts.
    func login(for host: String) -> Login? {
      entries.first { $0.host == nil || $0.host == host.lowercased() }?.login
    }
  }

  /// Splits the text of a netrc file into words, as curl does.
  ///
  /// White space separates words, line ends included. A word in double quotes may hold white space. In quotes a
  /// backslash takes the next character literally, except that `\n`, `\r` and `\t` mean a line feed, a carriage
  /// return and a tab.
  struct NetrcScanner {
    /// A fault and its line. No word of the file is repeated.
    struct Problem: Error {
      let line: Int
      let words: String
    }

    private var rest: ArraySlice<UInt8>
    private var nextLine = 1
    /// The line in which the last word began.
    private(set) var line = 1

    init(_ text: [UInt8]) { rest = text[...] }

    /// The next word; `nil` at the end.
    mutating func next() throws(Problem) -> [UInt8]? {
      while let byte = rest.first, Self.isSpace(byte) { take() }
      line = nextLine
      guard let first = rest.first else { return nil }
      if first == UInt8(ascii: "\"") { return try quoted() }
      var word: [UInt8] = []
      while let byte = rest.first, !Self.isSpace(byte) {
        word.append(byte)
        take()
      }
      return word
    }

    /// The word after a keyword.
    mutating func value(of keyword: String) throws(Problem) -> [UInt8] {
      let start = line
      guard let value = try next() else {
        throw Problem(line: start, words: "has a \(keyword) without a value")
      }
      return value
    }

    /// A fault in the line of the last word.
    func problem(_ words: String) -> Problem { Problem(line: line, words: words) }

    /// Skips the rest of the line.
    mutating func skipLine() { _ = takeLine() }

    /// Skips a macro, which ends before the first empty line.
    mutating func skipMacro() {
      skipLine()
      while !rest.isEmpty, !takeLine().allSatisfy(Self.isSpace) {}
    }

    private mutating func quoted() throws(Problem) -> [UInt8] {
      take()
      var word: [UInt8] = []
      var isEscaped = false
      while let byte = rest.first {
        take()
        if isEscaped {
          word.append(Self.escapes[byte] ?? byte)
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          return word
        } else {
          word.append(byte)
        }
      }
      throw Problem(line: line, words: "has a double quote that is not closed")
    }

    private mutating func takeLine() -> [UInt8] {
      var line: [UInt8] = []
      while let byte = rest.first {
        take()
        if byte == UInt8(ascii: "\n") { break }
        line.append(byte)
      }
      return line
    }

    private mutating func take() {
      if rest.popFirst() == UInt8(ascii: "\n") { nextLine += 1 }
    }

    private static let escapes: [UInt8: UInt8] = [
      UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "r"): UInt8(ascii: "\r"),
      UInt8(ascii: "t"): UInt8(ascii: "\t"),
    ]

    private static func isSpace(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }
  }
#endif
