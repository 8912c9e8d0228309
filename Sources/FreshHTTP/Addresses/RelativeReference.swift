/// Resolution of a reference, such as a `Location` field, against the address it came from (RFC 3986 section 5.2).
package enum RelativeReference {
  /// The target of the reference; its fragment is dropped. A space, which many servers send, becomes `%20`.
  /// Bytes outside ASCII are percent-encoded, in whatever encoding the text is.
  package static func resolve(_ reference: String, against base: HTTPAddress) throws(HTTPAddress
    .Refusal)
    -> HTTPAddress
  {
    let text = PercentEncoding.ascii(bytes: FieldText.bytes(FieldSyntax.trimmed(reference)))
      .replacing(" ", with: "%20")
    if HTTPAddress.splitScheme(text) != nil {
      return withoutDotSegments(try HTTPAddress(text))
    }
    if text.hasPrefix("//") {
      return withoutDotSegments(try HTTPAddress("\(base.scheme.rawValue):\(text)"))
    }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .syntax("it holds a control character")
    }
    let relative = text.prefix { $0 != "#" }
    let path = relative.prefix { $0 != "?" }
    if path.isEmpty {
      let query = relative.isEmpty ? base.query : HTTPAddress.pathAndQuery(relative).query
      return base.with(path: base.path, query: query)
    }
    let directory = base.path[...(base.path.lastIndex(of: "/") ?? base.path.startIndex)]
    let merged = path.hasPrefix("/") ? relative : directory + relative
    let (target, query) = HTTPAddress.pathAndQuery(merged)
    return withoutDotSegments(base.with(path: target, query: query))
  }

  private static func withoutDotSegments(_ target: HTTPAddress) -> HTTPAddress {
    target.with(path: removeDotSegments(target.path), query: target.query)
  }

  /// Section 5.2.4.
  private static func removeDotSegments(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
    var output: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { output.append("") }
      case "..":
        // The empty segment before the leading slash stays.
        if output.count > 1 { output.removeLast() }
        if isLast { output.append("") }
      default: output.append(segment)
      }
    }
    return output.joined(separator: "/")
  }
}

/// Percent-encoding of paths and queries (RFC 3986 section 2.1).
package enum PercentEncoding {
  /// Encodes a text as one segment of a path, or as a value in a query. Only the unreserved characters of RFC
  /// 3986 section 2.3 stay. Every spelling of `.` and `..` leads to another folder.
  package static func segment(_ text: some StringProtocol) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      let stays =
        FieldSyntax.isLetter(byte) || FieldSyntax.isDigit(byte) || "-._~".utf8.contains(byte)
      encoded += stays ? [byte] : encodedByte(byte)
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Encodes only the bytes outside ASCII. The result can be split character by character, as no combining
  /// mark changes the character before it.
  static func ascii(_ text: some StringProtocol) -> String { ascii(bytes: text.utf8) }

  /// The same for bytes that may be no text.
  static func ascii(bytes: some Sequence<UInt8>) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      encoded += byte < 0x80 ? [byte] : encodedByte(byte)
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The decoded text.
  package static func decoded(_ text: some StringProtocol) -> String {
    String(decoding: decoded(Array(text.utf8)), as: UTF8.self)
  }

  /// The decoded bytes.
  package static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == percent, index + 2 < bytes.count,
        let high = FieldSyntax.hexadecimal(bytes[index + 1]),
        let low = FieldSyntax.hexadecimal(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  private static func encodedByte(_ byte: UInt8) -> [UInt8] {
    [percent, digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
  }

  private static let percent = UInt8(ascii: "%")
  private static let digits = Array("0123456789ABCDEF".utf8)
}
