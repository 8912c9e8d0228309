#if CommandLine
  internal import ArgumentParser
  internal import FreshHTTP
  internal import FreshStore

  /// The option for headers that are private to this user and an origin.
  struct HeadersOption: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Send headers from a file that only you can read, with lines such as "
          + "'https://example.org Authorization: Bearer …': each goes to that origin alone, never along "
          + "a redirect to another one. # begins a comment. It is read once, at the start.",
        valueName: "path"), completion: .file())
    var headers: String?

    /// The file; `nil` without the option.
    func read() throws(CommandFailure) -> HeadersFile? {
      guard let headers else { return nil }
      return try HeadersFile(path: headers)
    }
  }

  /// Request headers by origin, from a file. They hold secrets, so that no message repeats a line.
  struct HeadersFile: Sendable {
    private struct Refusal: Error {
      let words: String
    }

    /// The headers by `scheme://host:port`.
    private(set) var fields: [Origin: HeaderFields] = [:]

    /// Reads the whole file. A file with any fault is refused.
    init(path: String) throws(CommandFailure) {
      let name = path.debugDescription
      let text = try PrivateFile.read(path, holding: "the headers")
      let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        do throws(Refusal) {
          try add(line)
        } catch {
          throw CommandFailure(
            .usage, "the headers in \(name) cannot be used: line \(index + 1) \(error.words)")
        }
      }
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
      guard let line = String(validating: bytes, as: UTF8.self) else {
        throw Refusal(words: "is not UTF-8")
      }
      let text = Self.trimmed(line[...])
      guard !text.isEmpty, !text.hasPrefix("#") else { return }
      let address = text.prefix { !Self.isSpace($0) }
      let origin = try Self.origin(address)
      let header = Self.trimmed(text[address.endIndex...])
      guard let colon = header.unicodeScalars.firstIndex(of: ":") else {
        throw Refusal(
          words: "has no header after its origin; write 'https://example.org Name: value'")
      }
      let field = HeaderFields.Line(
        name: String(header[..<colon]), value: String(header.unicodeScalars[colon...].dropFirst()))
      do throws(HTTPFetchError) {
        try HTTPConfiguration(headers: HeaderFields([field])).validate()
      } catch {
        throw Refusal(
          words:
            "has a header that cannot be sent: its name takes letters, digits and hyphens, its "
            + "value no control characters, and what every request states by itself (Host, "
            + "Content-Length, conditions) is left out")
      }
      fields[origin, default: HeaderFields()].append(field.name, field.value)
    }

    private static func origin(_ address: Substring) throws(Refusal) -> Origin {
      guard URLText.isURL(String(address)) else {
        throw Refusal(
          words: "does not begin with an origin; write 'https://example.org Name: value'")
      }
      // By bytes, as the address itself is parsed.
      let rest = address.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        .drop { !"/?#".utf8.contains($0) }
      guard rest.isEmpty || rest.elementsEqual("/".utf8) else {
        throw Refusal(words: "names more than an origin; leave the path away")
      }
      do throws(HTTPFetchError) {
        return try HTTPSource.origin(of: String(address))
      } catch {
        throw Refusal(
          words: "has an origin that is not valid; write https://HOST or https://HOST:PORT")
      }
    }

    private static func trimmed(_ text: Substring) -> Substring {
      let head = text.drop(while: isSpace)
      guard let last = head.lastIndex(where: { !isSpace($0) }) else { return "" }
      return head[...last]
    }

    private static func isSpace(_ character: Character) -> Bool {
      character == " " || character == "\t" || character == "\r"
    }
  }

  /// Logins by host, from a file that ftp(1) and curl read, too. They are secrets, so that no message repeats a line.
  struct NetrcFile: Sendable {
    private let logins: NetrcLogins

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

    /// Reads the whole file. A file with any fault is refused.
    init(path: String) throws(CommandFailure) {
      let name = path.debugDescription
      let text = try PrivateFile.read(path, holding: "the logins")
      do throws(NetrcScanner.Problem) {
        logins = try NetrcLogins(text)
      } catch {
        throw CommandFailure(
          .usage, "the logins in \(name) cannot be used: line \(error.line) \(error.words)")
      }
    }

    /// Adds the login for a host to the fields of a request, unless they have an Authorization already.
    func authorize(_ fields: inout HeaderFields, for host: String) {
      guard fields.first("Authorization") == nil, let login = logins.login(for: host),
        login.name != nil || login.password != nil
      else { return }
      // RFC 7617 section 2.
      let credentials = (login.name ?? []) + [UInt8(ascii: ":")] + (login.password ?? [])
      fields.append("Authorization", "Basic " + Base64.encode(credentials))
    }
  }

  /// Request headers as people write them. They may hold secrets, so that no message repeats them.
  enum HeaderText {
    static func fields(_ lines: [String]) throws(ValidationError) -> HeaderFields {
      var fields = HeaderFields()
      for (index, line) in lines.enumerated() {
        guard let colon = line.unicodeScalars.firstIndex(of: ":"), colon != line.startIndex else {
          throw ValidationError("--header number \(index + 1) has no name; write 'Name: value'")
        }
        fields.append(String(line[..<colon]), String(line.unicodeScalars[colon...].dropFirst()))
      }
      return fields
    }
  }

  /// The headers that are private to this user and an origin: from a headers file, and the login for its host.
  struct OriginHeaders: Sendable {
    let file: HeadersFile?
    let logins: NetrcFile?

    /// True when no origin has any.
    var isEmpty: Bool { file == nil && logins == nil }

    /// The headers for one address, followed by others that the user gives for it.
    func fields(to url: URLText, and others: HeaderFields = HeaderFields()) -> HeaderFields {
      let own = file?.fields[url.origin] ?? HeaderFields()
      var fields = HeaderFields(own.lines + others.lines)
      logins?.authorize(&fields, for: url.host)
      return fields
    }
  }
#endif
