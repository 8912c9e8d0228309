extension HTTPAddress {
  /// The address of the same origin with the target of a request, which is a path, and perhaps a query.
  ///
  /// What RFC 3986 does not allow, and clients send all the same, is percent-encoded, as in `?a[]=1`, so that
  /// every server reads the same. A percent sign that begins no encoded byte is read as itself in a query, where
  /// forms have such, and is written `%25`; in a path servers differ, and it is refused. So are steps to other
  /// folders, written as dots or encoded. Nothing is decoded.
  ///
  /// Throws the words about what is at fault, without a byte of the target.
  package func with(target: String) throws(Refusal) -> HTTPAddress {
    guard target.utf8.first == UInt8(ascii: "/") else {
      throw .syntax("the path does not begin with a slash")
    }
    let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
    let path = try Self.sent(path: mark.map { target[..<$0] } ?? target[...])
    let query = try mark.map { (mark) throws(Refusal) in
      try Self.sent(query: target[target.utf8.index(after: mark)...])
    }
    return HTTPAddress(scheme: scheme, host: host, port: port, path: path, query: query)
  }

  private static func sent(path: Substring) throws(Refusal) -> String {
    guard !hasSteps(path) else {
      throw .syntax(
        "the path has a segment of dots, which leads elsewhere; send the path that is meant")
    }
    if PercentEncoding.isEncoded(path) { return String(path) }
    guard path.utf8.allSatisfy({ isVisible($0) && !"\\\"<>".utf8.contains($0) }) else {
      throw .syntax("the path holds a character that is sent percent-encoded only")
    }
    guard !PercentEncoding.hasStrayPercent(path) else {
      throw .syntax("the path holds a percent sign without two hexadecimal digits; send %25")
    }
    return PercentEncoding.encoded(path)
  }

  private static func sent(query: Substring) throws(Refusal) -> String {
    if PercentEncoding.isEncoded(query) { return String(query) }
    guard query.utf8.allSatisfy(isVisible) else {
      throw .syntax("the query holds a control character, a space or a fragment")
    }
    return PercentEncoding.encoded(query)
  }

  private static func isVisible(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "#")
  }

  /// True where a segment is `.` or `..`, its dots encoded or not.
  private static func hasSteps(_ path: Substring) -> Bool {
    guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else {
      return false
    }
    return path.utf8.split(separator: UInt8(ascii: "/")).contains { isStep(Array($0)) }
  }

  private static func isStep(_ segment: [UInt8]) -> Bool {
    var (rest, dots) = (segment[...], 0)
    while let first = rest.first {
      if first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
      } else if rest.starts(with: "%2e".utf8) || rest.starts(with: "%2E".utf8) {
        rest = rest.dropFirst(3)
      } else {
        return false
      }
      dots += 1
    }
    return dots == 1 || dots == 2
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
