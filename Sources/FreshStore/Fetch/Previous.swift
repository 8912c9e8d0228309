public import Strategies

/// The stored state of a key when its fetch began: the basis for a conditional request.
///
/// Validators may exist without a usable value, and the other way round; a fetch that sends
/// validators must be ready for a full answer.
public struct Previous<Value: Sendable>: Sendable {
  /// The key being fetched.
  public let key: String
  /// The stored value; `nil` when there is none, or it can no longer be read.
  public let value: Value?
  /// The validators for a conditional request; empty whenever ``value`` is `nil`.
  public let validators: Validators
  /// When the copy was last known to equal its source.
  public let lastUpdate: Timestamp?
  /// The variant of the copy.
  public let variant: String?
  /// The data that the last fetch asked to get back.
  public let metadata: String?
  /// How long the copy was valid.
  package var expiry: Expiry?

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
