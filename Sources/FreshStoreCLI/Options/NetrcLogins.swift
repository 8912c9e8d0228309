#if CommandLine
  /// The logins by host that the text of a netrc file holds, in its order.
  struct NetrcLogins: Sendable {
    /// What a host is shown.
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

    /// Reads the text whole.
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

    /// The login for a host; `nil` where there is no entry for it. The first one counts that is for the host,
    /// or for all, as in curl.
    func login(for host: String) -> Login? {
      entries.first { $0.host == nil || $0.host == host.lowercased() }?.login
    }
  }

  extension NetrcScanner {
    fileprivate func problem(_ words: String) -> Problem { Problem(line: line, words: words) }

    fileprivate mutating func value(of name: String) throws(Problem) -> [UInt8] {
      let start = line
      guard let value = try next() else {
        throw Problem(line: start, words: "has a \(name) without a value")
      }
      return value
    }
  }
#endif
