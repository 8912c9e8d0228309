internal import FreshHTTP

/// The byte ranges that a GET requests (RFC 9110 section 14.2).
struct RangeRequest: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    /// From one byte to another, both included, or to the end.
    case from(Int64, through: Int64?)
    /// This many bytes at the end.
    case last(Int64)
  }

  /// The requested ranges, applied to one representation.
  enum Resolution: Sendable, Hashable {
    /// The field does not count: the whole representation is sent.
    case everything
    /// No byte is selected: 416.
    case unsatisfiable
    /// At least one part; no part is empty or overlaps another.
    case parts([Range<Int64>])
  }

  let parts: [Part]

  /// More ranges than this are an attack or a client's fault (section 14.2): the field does not count.
  static let greatestCount = 32

  /// `nil` for a field that does not count: it is invalid, or has another unit.
  init?(_ field: String?) {
    guard let field else { return nil }
    var scanner = ByteScanner(field)
    guard scanner.take("bytes"), scanner.take(UInt8(ascii: "=")) else { return nil }
    let members = FieldSyntax.listMembers(
      String(decoding: field.utf8.dropFirst(scanner.position), as: UTF8.self))
    guard (1...Self.greatestCount).contains(members.count) else { return nil }
    let parts = members.compactMap(Self.part)
    guard parts.count == members.count else { return nil }
    self.parts = parts
  }

  private static func part(_ text: String) -> Part? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    if ends[0].isEmpty { return position(ends[1]).map { .last($0) } }
    guard let first = position(ends[0]) else { return nil }
    if ends[1].isEmpty { return .from(first, through: nil) }
    guard let last = position(ends[1]), last >= first else { return nil }
    return .from(first, through: last)
  }

  /// A number of any length, capped at a value that no content reaches.
  private static func position(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy(FieldSyntax.isDigit) else { return nil }
    return text.utf8.reduce(0) { min(greatest, $0 * 10 + Int64($1 - UInt8(ascii: "0"))) }
  }

  private static let greatest: Int64 = 1 << 56

  /// - Parameter length: The length of the whole representation; `nil` where it is unknown. Only ranges with both ends
  ///   can be resolved then.
  func resolved(in length: Int64?) -> Resolution {
    if length == 0 {
      // No byte exists (section 14.1.2), but a suffix range selects the empty end.
      return parts.contains { if case .last(1...) = $0 { true } else { false } }
        ? .everything : .unsatisfiable
    }
    var ranges: [Range<Int64>] = []
    for part in parts {
      guard let range = Self.range(part, in: length) else { return .everything }
      if !range.isEmpty { ranges.append(range) }
    }
    return ranges.isEmpty ? .unsatisfiable : .parts(Self.coalesced(ranges))
  }

  /// The bytes of a part. The range is empty beyond the end, and `nil` where the end is unknown.
  private static func range(_ part: Part, in length: Int64?) -> Range<Int64>? {
    switch part {
    case .from(let first, through: let last):
      guard let end = length ?? last.map({ $0 + 1 }) else { return nil }
      let stop = min(end, last.map { $0 + 1 } ?? end)
      return first < stop ? first..<stop : 0..<0
    case .last(let count):
      guard let length else { return nil }
      return count == 0 ? 0..<0 : max(0, length - count)..<length
    }
  }

  /// Joins ranges that overlap, or whose gap is shorter than another part header (section 15.3.7.2). Without any such
  /// ranges the requested order stays.
  private static func coalesced(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
    var merged: [Range<Int64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound + gap {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged.count == ranges.count ? ranges : merged
  }

  private static let gap: Int64 = 80
}

/// `Content-Range` (RFC 9110 section 14.4).
struct ContentRange: Sendable, Hashable {
  let range: Range<Int64>
  /// The complete length; `nil` where it is unknown.
  let completeLength: Int64?

  init(_ range: Range<Int64>, of completeLength: Int64?) {
    self.range = range
    self.completeLength = completeLength
  }

  /// `nil` for an invalid field; such an answer is not combined with others (section 14.4).
  init?(_ field: String?) {
    guard let field else { return nil }
    var scanner = ByteScanner(field)
    guard scanner.take("bytes "), let first = Self.number(&scanner), scanner.take("-"),
      let last = Self.number(&scanner), last >= first, scanner.take("/")
    else { return nil }
    if scanner.take("*") {
      completeLength = nil
    } else {
      guard let length = Self.number(&scanner), length > last else { return nil }
      completeLength = length
    }
    guard scanner.isAtEnd else { return nil }
    range = first..<last + 1
  }

  private static func number(_ scanner: inout ByteScanner) -> Int64? {
    let digits = scanner.take(while: FieldSyntax.isDigit)
    guard (1...18).contains(digits.count) else { return nil }
    return Int64(String(decoding: digits, as: UTF8.self))
  }

  var text: String {
    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(completeLength.map { "\($0)" } ?? "*")"
  }

  /// The value for a 416.
  static func unsatisfied(_ completeLength: Int64?) -> String? {
    completeLength.map { "bytes */\($0)" }
  }
}

/// Several ranges as one body (RFC 9110 section 14.6).
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

  /// - Parameter boundary: Must not occur in the content: 24 random letters will do.
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

  /// The length of the body in bytes.
  var length: Int64 {
    parts.reduce(Int64(end.count)) { $0 + Int64($1.head.count) + Int64($1.range.count) }
  }
}
