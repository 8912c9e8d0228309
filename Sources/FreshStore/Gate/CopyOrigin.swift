/// What a copy tells of where it comes from.
@usableFromInline
final class CopyOrigin: Sendable {
  let validators: Validators
  @usableFromInline let source: String?
  @usableFromInline let contentType: String?
  let variant: String?

  /// `nil` when the record says nothing.
  init?(_ record: StoredRecord) {
    validators = record.content.validators
    source = record.content.source
    contentType = record.content.contentType
    variant = record.content.variant
    if validators.isEmpty, source == nil, contentType == nil, variant == nil { return nil }
  }
}
