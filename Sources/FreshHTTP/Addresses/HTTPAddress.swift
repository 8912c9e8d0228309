/// The address of an http or https resource, split into its parts (RFC 3986, RFC 9110 section 4.2). The
/// requested address is built from the checked parts.
///
/// It has no user information and no fragment: neither is ever sent.
package struct HTTPAddress: Sendable, Hashable {
  /// The scheme, which also gives the default port.
  package enum Scheme: String, Sendable {
    case http, https

    /// The port of an address that names none.
    package var defaultPort: Int { self == .http ? 80 : 443 }
  }

  /// The reason why a text is no such address, and the remedy.
  package enum Refusal: Error, Hashable {
    case scheme(String)
    case syntax(String)
  }

  /// The scheme.
  package let scheme: Scheme
  /// In lower case; an IPv6 address keeps its brackets.
  package let host: String
  /// The port, also when the text does not state it.
  package let port: Int
  /// The path. It begins with a slash and is visible ASCII, as it was written.
  package let path: String
  /// The query without its question mark: visible ASCII, as it was written.
  package let query: String?

  /// Reads an absolute address. Bytes outside ASCII are percent-encoded in the path and the query (RFC 3987
  /// section 3.1), and refused elsewhere. Spaces and control characters are refused.
  ///
  /// Nothing else changes: two spellings are two addresses, also where RFC 3986 allows neither.
  package init(_ text: String) throws(Refusal) {
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .syntax("it holds a control character; remove it")
    }
    guard !text.utf8.contains(0x20) else { throw .syntax("it holds a space; write it as %20") }
    let text = PercentEncoding.ascii(text)
    guard let (name, rest) = Self.splitScheme(text) else {
      throw .syntax("it has no scheme; begin it with http:// or https://")
    }
    guard let scheme = Scheme(rawValue: name) else { throw .scheme(name) }
    guard rest.hasPrefix("//") else { throw .syntax("two slashes must follow its scheme") }
    let authorityEnd = rest.dropFirst(2).firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let authority = rest[rest.index(rest.startIndex, offsetBy: 2)..<authorityEnd]
    let (host, port) = try Self.hostAndPort(authority)
    self.scheme = scheme
    self.host = host
    self.port = port ?? scheme.defaultPort
    let (path, query) = Self.pathAndQuery(rest[authorityEnd...])
    self.path = path.isEmpty ? "/" : path
    self.query = query
  }

  /// Creates an address from parts in their normal form.
  package init(scheme: Scheme, host: String, port: Int, path: String, query: String?) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.query = query
  }

  /// `scheme://host:port`; the port is always written.
  package var origin: String { "\(scheme.rawValue)://\(host):\(port)" }

  /// The host without the brackets of an IPv6 address.
  package var bareHost: String { host.filter { $0 != "[" && $0 != "]" } }

  /// The whole address: the scheme and the host in lower case, the port unless it is the scheme's default,
  /// and the target.
  package var text: String { base + target }

  /// The address within its origin, as a request names it (RFC 9112 section 3.2.1).
  package var target: String { path + (query.map { "?\($0)" } ?? "") }

  /// The address without its query.
  package var withoutQuery: String { base + path }

  /// The address for messages. A query often carries secrets, so it is left out.
  package var redacted: String { base + path + (query == nil ? "" : "?…") }

  /// The host, and the port unless it is the scheme's default.
  package var authority: String { host + (port == scheme.defaultPort ? "" : ":\(port)") }

  private var base: String { "\(scheme.rawValue)://\(authority)" }

  /// A text for messages, which may be no address: without possible user information, query, fragment and
  /// control characters, and short.
  static func redacted(_ text: String) -> String {
    if let address = try? HTTPAddress(text) {  // Not an address: the general way below.
      return address.redacted
    }
    let text = PercentEncoding.ascii(text)
    let scheme = splitScheme(text).map { "\($0.name):" } ?? ""
    var rest = text.dropFirst(scheme.count)
    let end = rest.firstIndex { "?#".contains($0) } ?? rest.endIndex
    let suffix = end == rest.endIndex ? "" : "?…"
    rest = rest[..<end]
    if let at = rest.lastIndex(of: "@") {
      return DisplayText.clean(scheme + "//…" + rest[at...] + suffix, limit: 200)
    }
    return DisplayText.clean(scheme + rest + suffix, limit: 200)
  }

  /// RFC 3986 section 3.1; the name in lower case.
  static func splitScheme(_ text: some StringProtocol) -> (name: String, rest: String)? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let name = text[..<colon]
    guard let first = name.utf8.first, FieldSyntax.isLetter(first),
      name.utf8.allSatisfy({
        FieldSyntax.isLetter($0) || FieldSyntax.isDigit($0) || "+-.".utf8.contains($0)
      })
    else { return nil }
    return (FieldSyntax.lowercased(name), String(text[text.index(after: colon)...]))
  }

  /// The path and the query; the fragment is dropped.
  static func pathAndQuery(_ text: some StringProtocol) -> (path: String, query: String?) {
    let target = text.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else {
      return (String(decoding: target, as: UTF8.self), nil)
    }
    return (
      String(decoding: target[..<mark], as: UTF8.self),
      String(decoding: target[target.index(after: mark)...], as: UTF8.self)
    )
  }

  private static func hostAndPort(_ authority: Substring) throws(Refusal) -> (String, Int?) {
    if authority.contains("@") {
      throw .syntax(
        "it carries user information, which is never sent; leave it out, and have requests carry Authorization"
      )
    }
    let host: Substring
    if authority.hasPrefix("["), let close = authority.firstIndex(of: "]") {
      host = authority[...close]
    } else {
      host = authority.prefix { $0 != ":" }
    }
    guard isHost(host) else {
      throw .syntax(
        "its host must be a name in ASCII letters, an IPv4 address or [an IPv6 address]")
    }
    let rest = authority[host.endIndex...]
    if rest.isEmpty || rest == ":" {
      return (FieldSyntax.lowercased(host), nil)
    }
    guard rest.hasPrefix(":"), let port = DeltaSeconds(rest.dropFirst())?.seconds,
      (1...65535).contains(port)
    else { throw .syntax("its port must be a number from 1 to 65535") }
    return (FieldSyntax.lowercased(host), Int(port))
  }

  private static func isHost(_ host: Substring) -> Bool {
    if host.hasPrefix("[") {
      let inner = host.dropFirst().dropLast()
      return host.hasSuffix("]") && inner.utf8.contains(UInt8(ascii: ":"))
        && inner.utf8.allSatisfy { "0123456789abcdefABCDEF:.".utf8.contains($0) }
    }
    return !host.isEmpty && host.utf8.count <= 253
      && host.utf8.allSatisfy {
        FieldSyntax.isLetter($0) || FieldSyntax.isDigit($0) || "-._".utf8.contains($0)
      }
  }
}

extension HTTPAddress {
  /// The address of the same origin with the target of a request, which stays as it came, byte by byte. A proxy
  /// must not change what a client has written (RFC 9110 section 7.7), and one key stands for one request.
  ///
  /// Throws a description of the fault that quotes no byte of the target.
  package func with(target: String) throws(Refusal) -> HTTPAddress {
    guard target.utf8.first == UInt8(ascii: "/") else {
      throw .syntax("the path does not begin with a slash")
    }
    guard Self.isTarget(target) else {
      throw .syntax(
        "the target holds a control character, a space, a fragment or a byte outside ASCII; send it "
          + "percent-encoded")
    }
    let (path, query) = Self.pathAndQuery(target)
    return with(path: path, query: query)
  }

  /// The address of the same origin with another path and query.
  func with(path: String, query: String?) -> HTTPAddress {
    HTTPAddress(scheme: scheme, host: host, port: port, path: path, query: query)
  }

  /// True for a text that can be the target of a request: a path and perhaps a query in visible ASCII,
  /// without a fragment.
  static func isTarget(_ text: String) -> Bool {
    text.utf8.first == UInt8(ascii: "/")
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
  }

  /// The reason why the path of a record must not be sent; `nil` for a path that may be.
  ///
  /// Servers resolve segments of dots, in every spelling, and many merge empty segments. The path of one
  /// record would lead to another, or to all of them.
  var refusalAsRecord: String? {
    var decoded = Array(path.utf8)
    // Some servers decode more than once.
    while case let further = PercentEncoding.decoded(decoded), further != decoded {
      decoded = further
    }
    let isSlash = { (byte: UInt8) in byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }
    var segments = decoded.split(omittingEmptySubsequences: false, whereSeparator: isSlash)
      .dropFirst()
    if path.hasSuffix("/") { segments.removeLast() }
    // Some servers cut a segment at its first parameter (RFC 3986 section 3.3).
    let names = segments.map { $0.prefix { $0 != FieldSyntax.semicolon } }
    if names.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
      return "its path has a segment of dots, which leads to another record; choose another key"
    }
    if segments.contains(where: \.isEmpty) {
      return "its path has an empty segment, which leads to another record; choose another key"
    }
    return nil
  }
}

extension HTTPAddress.Refusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .scheme(let name):
      "its scheme is \(DisplayText.clean(name, limit: 40)), and only http and https are understood"
    case .syntax(let words): words
    }
  }
}

extension HTTPAddress {
  /// Reads the address of a fetch. Throws `badURL` and `unsupportedScheme`.
  init(fetched url: String) throws(HTTPFetchError) {
    do {
      try self.init(url)
    } catch {
      throw HTTPFetchError(error, of: url)
    }
  }
}

extension HTTPFetchError {
  /// The error for a text that is no address of a fetch.
  init(_ refusal: HTTPAddress.Refusal, of url: String) {
    self =
      switch refusal {
      case .scheme(let name): .unsupportedScheme(DisplayText.clean(name, limit: 40))
      case .syntax(let reason): .badURL(HTTPAddress.redacted(url), reason: reason)
      }
  }
}

/// Text from outside, made safe for one line of a message or a terminal.
enum DisplayText {
  /// Replaces each control character, and each run of spaces, by one space. A text above the limit is cut and
  /// ends with an ellipsis. Bidirectional controls count as control characters.
  static func clean(_ text: some StringProtocol, limit: Int) -> String {
    var cleaned = ""
    var count = 0
    var lastIsSpace = false
    for scalar in text.unicodeScalars {
      let isSpace = isControl(scalar) || scalar == " "
      if isSpace && lastIsSpace { continue }
      guard count < limit else { return cleaned + "…" }
      cleaned.unicodeScalars.append(isSpace ? " " : scalar)
      lastIsSpace = isSpace
      count += 1
    }
    return cleaned
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
