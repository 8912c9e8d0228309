public import Strategies

/// A stored value with its stamps and the gate's decision on it.
public struct Copy<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The key.
  public let key: String
  /// The gate's decision.
  public let decision: Decision
  @usableFromInline let origin: CopyOrigin?

  @inlinable
  init(_ value: Value, of key: String, _ origin: CopyOrigin?, _ decision: Decision) {
    self.value = value
    self.key = key
    self.decision = decision
    self.origin = origin
  }

  /// When it was last known to equal its source.
  public var lastUpdate: Timestamp? { decision.lastUpdate }
  /// How long it is valid from then.
  public var expiry: Expiry { decision.expiry }
  /// The validators for a conditional request.
  public var validators: Validators { origin?.validators ?? Validators() }
  /// The source's URL or label.
  public var source: String? { origin?.source }
  /// The full address of the next fetch.
  public var address: String? { origin?.address }
  /// The media type.
  public var contentType: String? { origin?.contentType }
  /// The variant.
  public var variant: String? { origin?.variant }
}
