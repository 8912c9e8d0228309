/// What a copy tells of where it comes from.
@usableFromInline
struct CopyOrigin: Sendable {
  @usableFromInline let validators: Validators
  @usableFromInline let source: String?
  @usableFromInline let contentType: String?
  @usableFromInline let variant: String?

  init(_ record: StoredRecord) {
    validators = record.content.validators
    source = record.content.source
    contentType = record.content.contentType
    variant = record.content.variant
  }
}
