internal import FreshHTTP

/// `Content-Range` (RFC 9110 section 14.4).
struct ContentRange: Sendable, Hashable {
  let range: Range<Int64>
  /// The length of the whole; `nil` where it is not known.
  let completeLength: Int64?

  init(_ range: Range<Int64>, of completeLength: Int64?) {
    self.range = range
    self.completeLength = completeLength
  }

  /// `nil` for anything that is not valid; such an answer is not combined with others (section 14.4).
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

  /// The form of a 416.
  static func unsatisfied(_ completeLength: Int64?) -> String? {
    completeLength.map { "bytes */\($0)" }
  }
}
