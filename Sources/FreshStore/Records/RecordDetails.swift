internal import Strategies

/// Rare or rarely read fields of a record: one column, `NULL` where there are none.
struct RecordDetails: FieldCoded, Sendable, Hashable {
  var hardEnd: Duration?
  var graceWhileRevalidating: Duration?
  var graceOnError: Duration?
  var validators = Validators()
  var source: String?
  /// The address to ask, where ``source`` leaves a part of it out.
  var address: String?
  var contentType: String?
  var variant: String?
  var metadata: String?
  /// The duration of the fetch, in milliseconds.
  var fetchCost: Int64?
  /// The checksum of the value of a local write that the source has accepted as this one.
  var madeOf: Int64?
  /// 1 for a record that only whoever asks for it fetches; else `nil`.
  var onDemand: Int64?
  private var later: [UInt8] = []

  init() {}

  mutating func visit(_ visitor: inout some FieldVisitor) {
    visitor.duration(1, &hardEnd)
    visitor.duration(2, &graceWhileRevalidating)
    visitor.duration(3, &graceOnError)
    visitor.text(4, &validators.entityTag)
    visitor.text(5, &validators.lastModified)
    visitor.text(6, &source)
    visitor.text(7, &contentType)
    visitor.text(8, &variant)
    visitor.text(9, &metadata)
    visitor.integer(10, &fetchCost)
    visitor.text(11, &address)
    visitor.integer(12, &madeOf)
    visitor.integer(13, &onDemand)
    visitor.later(&later)
  }
}

extension RecordDetails {
  /// True for a record that a fetch has brought, or whose source is known: its source can give it again.
  var isFromSource: Bool {
    fetchCost != nil || source != nil || address != nil || onDemand != nil || !validators.isEmpty
  }

  /// The address to ask, alone, from a column's bytes.
  static func address(in bytes: [UInt8]?) -> String? {
    guard let bytes else { return nil }
    let details = RecordDetails(encoded: bytes)
    return details.address ?? details.source
  }
}
