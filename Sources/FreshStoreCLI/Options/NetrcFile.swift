#if CommandLine
  internal import FreshHTTP

  /// Logins by host, from a file that ftp(1) and curl read, too. They are secrets: no message repeats the
  /// contents of a line.
  struct NetrcFile: Sendable {
    private enum Keyword: String {
      case machine, `default`, login, password, account, macdef
    }

    private struct Entry {
      /// In lower case; `nil` for every host.
      let host: String?
      var login: [UInt8]?
      var password: [UInt8]?
    }

    private var entries: [Entry] = []

    /// The file in the user's folder.
    static var defaultPath: String {
      get throws(CommandFailure) {
        guard let home = Process.variable("HOME"), home.hasPrefix("/") else {
          throw CommandFailure(
            .usage, "HOME names no folder with a .netrc; name the file with --netrc-file")
        }
        return home + "/.netrc"
      }
    }

    /// Reads the file whole: one with anything wrong in it is not used at all.
    init(path: String) throws(CommandFailure) {
      let name = path.debugDescription
      let text = try PrivateFile.read(path, holding: "the logins")
      do throws(NetrcScanner.Problem) {
        try read(text)
      } catch {
        throw CommandFailure(
          .usage, "the logins in \(name) cannot be used: line \(error.line) \(error.words)")
      }
    }

    /// Adds the login for a host to the fields of a request, unless they authorize it already.
    ///
    /// The first entry counts that is for the host, or for all, as in curl.
    func authorize(_ fields: inout HeaderFields, for host: String) {
      guard fields.first("Authorization") == nil,
        let entry = entries.first(where: { $0.host == nil || $0.host == host.lowercased() }),
        entry.login != nil || entry.password != nil
      else { return }
      // RFC 7617 section 2.
      let credentials = (entry.login ?? []) + [UInt8(ascii: ":")] + (entry.password ?? [])
      fields.append("Authorization", "Basic " + Base64.encode(credentials))
    }

    // MARK: The format

    private mutating func read(_ text: [UInt8]) throws(NetrcScanner.Problem) {
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
            entries[last].login = value
          } else if keyword == .password {
            entries[last].password = value
          }
        }
      }
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
