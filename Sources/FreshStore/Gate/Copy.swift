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
}
