/// Where a copy came from.
@usableFromInline
final class CopyOrigin: Sendable {
  let validators: Validators
  @usableFromInline let source: String?
  let address: String?
  @usableFromInline let contentType: String?
  let variant: String?
  let metadata: String?
  /// The checksum of the value of a local write that waits; `nil` for any other copy.
  let written: Int64?

  /// `nil` when the record states none of it.
  @inline(__always)
  init?(_ record: StoredRecord) {
    guard record.content.hasDetails || record.isPending else { return nil }
    validators = record.content.validators
    source = record.content.source
    address = record.content.addressToAsk
    contentType = record.content.contentType
    variant = record.content.variant
    metadata = record.content.metadata
    written = record.isPending ? record.contentChecksum : nil
    if validators.isEmpty, address == nil, contentType == nil, variant == nil, metadata == nil,
      written == nil
    {
      return nil
    }
  }
}
