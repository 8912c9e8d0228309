extension HTTPAddress {
  /// The address of the same origin with the target of a request, byte by byte as it came: to change what somebody
  /// else has written is not a proxy's (RFC 9110 section 7.7), and one key is one request.
  ///
  /// Throws the words about what is at fault, without a byte of the target.
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
    return HTTPAddress(scheme: scheme, host: host, port: port, path: path, query: query)
  }

  /// True for what can be the target of a request, a path and perhaps a query: visible ASCII without a fragment.
  static func isTarget(_ text: String) -> Bool {
    text.utf8.first == UInt8(ascii: "/")
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
  }

  /// Why the path of a record must not be sent; `nil` for any other.
  ///
  /// Servers resolve segments of dots, and many merge empty ones, in every spelling: the path of one record would lead
  /// to another, or to all of them.
  var refusalAsRecord: String? {
    var decoded = Array(path.utf8)
    // Some decode more than once.
    while case let further = PercentEncoding.decoded(decoded), further != decoded {
      decoded = further
    }
    let isSlash = { (byte: UInt8) in byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }
    var segments = decoded.split(omittingEmptySubsequences: false, whereSeparator: isSlash)
      .dropFirst()
    if path.hasSuffix("/") { segments.removeLast() }
    // Some cut a segment at its first parameter (RFC 3986 section 3.3).
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
