/// Resolution of a reference, such as a `Location` field, against the address it came from
/// (RFC 3986 section 5.2).
package enum RelativeReference {
  /// The target of the reference; its fragment is dropped. A space, which many servers send, is written `%20`, and bytes
  /// outside ASCII are percent-encoded, whatever text they are of.
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
      return address(base, base.path, query)
    }
    let directory = base.path[...(base.path.lastIndex(of: "/") ?? base.path.startIndex)]
    let merged = path.hasPrefix("/") ? relative : directory + relative
    let (target, query) = HTTPAddress.pathAndQuery(merged)
    return withoutDotSegments(address(base, target, query))
  }

  private static func withoutDotSegments(_ target: HTTPAddress) -> HTTPAddress {
    address(target, removeDotSegments(target.path), target.query)
  }

  /// Section 5.2.4.
  static func removeDotSegments(_ path: String) -> String {
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

  private static func address(_ base: HTTPAddress, _ path: String, _ query: String?)
    -> HTTPAddress
  {
    HTTPAddress(
      scheme: base.scheme, host: base.host, port: base.port, path: path, query: query)
  }
}
