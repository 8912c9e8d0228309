public import Strategies

/// What the store held of a key when its fetch began: the ground for a conditional request.
///
/// There may be no usable value although there are validators, and the other way round; a fetch
/// that sends validators must be ready to be answered in full.
public struct Previous<Value: Sendable>: Sendable {
  /// The key being fetched.
  public let key: String
  /// The stored value; `nil` when there is none, or it can no longer be read.
  public let value: Value?
  /// What to ask conditionally with; empty whenever ``value`` is `nil`.
  public let validators: Validators
  /// When the copy was last known to equal its source.
  public let lastUpdate: Timestamp?
  /// The variant of the copy.
  public let variant: String?
  /// What the last fetch asked to be handed back.
  public let metadata: String?

  /// Creates the previous state of a key.
  public init(
    key: String, value: Value? = nil, validators: Validators = Validators(),
    lastUpdate: Timestamp? = nil, variant: String? = nil, metadata: String? = nil
  ) {
    self.key = key
    self.value = value
    self.validators = validators
    self.lastUpdate = lastUpdate
    self.variant = variant
    self.metadata = metadata
  }
}
