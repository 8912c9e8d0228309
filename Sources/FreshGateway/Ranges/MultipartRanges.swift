internal import FreshHTTP

/// Several ranges as one content (RFC 9110 section 14.6).
struct MultipartRanges: Sendable, Hashable {
  let boundary: String
  /// The bytes before each range, and the range.
  let parts: [Part]
  /// The bytes after the last range.
  let end: [UInt8]

  struct Part: Sendable, Hashable {
    let head: [UInt8]
    let range: Range<Int64>
  }

  /// - Parameter boundary: Not to be found in the content: 24 random letters will do.
  init(
    _ ranges: [Range<Int64>], of completeLength: Int64?, contentType: String?, boundary: String
  ) {
    self.boundary = boundary
    parts = ranges.enumerated().map { index, range in
      let start = index == 0 ? "" : "\r\n"
      let type = contentType.map { "Content-Type: \($0)\r\n" } ?? ""
      let place = "Content-Range: \(ContentRange(range, of: completeLength).text)\r\n"
      return Part(
        head: FieldText.bytes("\(start)--\(boundary)\r\n\(type)\(place)\r\n"), range: range)
    }
    end = Array("\r\n--\(boundary)--\r\n".utf8)
  }

  var contentType: String { "multipart/byteranges; boundary=\(boundary)" }

  /// How many bytes it is in all.
  var length: Int64 {
    parts.reduce(Int64(end.count)) { $0 + Int64($1.head.count) + Int64($1.range.count) }
  }
}
