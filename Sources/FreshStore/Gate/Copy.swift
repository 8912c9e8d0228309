public import Strategies

/// A stored value with its stamps and what the gate decided of it.
public struct Copy<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The key.
  public let key: String
  /// When it was last known to equal its source.
  public let lastUpdate: Timestamp?
  /// How long it holds from then.
  public let expiry: Expiry
  /// What to ask the source conditionally with.
  public let validators: Validators
  /// The source's URL or label.
  public let source: String?
  /// The media type.
  public let contentType: String?
  /// The variant.
  public let variant: String?
  /// What the gate decided.
  public let decision: Decision

  @inlinable
  init(_ value: Value, of key: String, _ origin: CopyOrigin, _ decision: Decision) {
    self.value = value
    self.key = key
    self.decision = decision
    lastUpdate = decision.lastUpdate
    expiry = decision.expiry
    validators = origin.validators
    source = origin.source
    contentType = origin.contentType
    variant = origin.variant
  }
}
