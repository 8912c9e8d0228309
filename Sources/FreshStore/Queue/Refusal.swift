/// A source's refusal of a local write, for good: what the user is shown, and what a correction is made by.
public struct Refusal: Sendable, Hashable {
  /// The reason, in words.
  public var reason: String
  /// The status code of the answer (HTTP: RFC 9110 section 15); `nil` where the source has none.
  public var status: Int?
  /// The fields of the answer, by name in lower case; lines of one name are joined by `, `. Without those
  /// that set cookies or credentials.
  public var headers: [String: String]
  /// The body of the answer, such as a problem document (RFC 9457); at most ``bodyLimit`` bytes of it are
  /// kept.
  public var body: [UInt8]

  /// The most bytes of a body that are kept: 64 KiB.
  public static var bodyLimit: Int { 65_536 }

  /// Creates a refusal.
  public init(
    _ reason: String, status: Int? = nil, headers: [String: String] = [:], body: [UInt8] = []
  ) {
    self.reason = reason
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension Refusal: ExpressibleByStringInterpolation {
  /// A refusal that has words alone.
  public init(stringLiteral reason: String) {
    self.init(reason)
  }
}

extension Refusal: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}

extension Refusal {
  /// The column form, without the words, which are kept as the failure of its write.
  var encoded: [UInt8] { Fields(self).encoded }

  /// Reads the column, beside the words of the failure.
  init(_ reason: String, encoded bytes: [UInt8]) {
    let fields = Fields(encoded: bytes)
    self.init(
      reason, status: fields.status.map { Int(truncatingIfNeeded: $0) },
      headers: Dictionary(zip(fields.names, fields.values)) { first, _ in first },
      body: fields.body ?? [])
  }

  private struct Fields: FieldCoded {
    var status: Int64?
    var names: [String] = []
    var values: [String] = []
    var body: [UInt8]?

    init() {}

    init(_ refusal: Refusal) {
      status = refusal.status.map(Int64.init)
      let headers = refusal.headers.sorted { $0.key < $1.key }
      (names, values) = (headers.map(\.key), headers.map(\.value))
      body = Array(refusal.body.prefix(Refusal.bodyLimit))
    }

    mutating func visit(_ visitor: inout some FieldVisitor) {
      visitor.integer(1, &status)
      visitor.texts(2, &names)
      visitor.texts(3, &values)
      visitor.bytes(4, &body)
    }
  }
}
