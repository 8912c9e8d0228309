internal import Strategies

/// Rare or rarely read fields of a record: one column, `NULL` where there are none.
///
/// Each field is encoded as its number, its length and its bytes, in the order of the numbers. A field
/// can be added without a change of the schema; a field that this version does not know is kept as it is.
struct RecordDetails: Sendable, Hashable {
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
  /// Fields of a later version, as they were read.
  private var unknown: [UInt8] = []

  init() {}

  /// Visits every field: its number in the file, and its storage here. A number is never reused.
  private mutating func visit(_ visitor: inout some FieldVisitor) {
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
  }
}

extension RecordDetails {
  /// The column form; `nil` when there is nothing to keep.
  var encoded: [UInt8]? {
    var (copy, writer) = (self, FieldWriter())
    copy.visit(&writer)
    let bytes = writer.bytes + unknown
    return bytes.isEmpty ? nil : bytes
  }

  /// Reads the column. From damaged bytes the readable fields are kept: the row's checksum reveals
  /// the damage.
  init(encoded bytes: [UInt8]) {
    self.init()
    var reader = FieldReader(bytes)
    visit(&reader)
    unknown = Array(reader.rest)
  }

  /// The address to ask, alone, from a column's bytes.
  static func address(in bytes: [UInt8]?) -> String? {
    guard let bytes else { return nil }
    let details = RecordDetails(encoded: bytes)
    return details.address ?? details.source
  }
}
