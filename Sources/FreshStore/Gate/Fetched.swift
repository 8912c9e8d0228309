public import Strategies

/// The result of a fetch.
public enum Fetched<Value: Sendable>: Sendable {
  /// The source's current value.
  case value(Value, FetchDetails)
  /// The copy still equals the source: its stamps are renewed, its bytes are kept.
  /// Without a copy this is a failed fetch.
  case notModified(FetchDetails)
  /// The source says that the object does not exist. The store remembers this answer, with its own expiry.
  case gone(FetchDetails)

  /// A value without further details.
  public static func value(_ value: Value) -> Fetched { .value(value, FetchDetails()) }
  /// Not modified, without further details.
  public static var notModified: Fetched { .notModified(FetchDetails()) }
  /// Gone, without further details.
  public static var gone: Fetched { .gone(FetchDetails()) }

  /// The same result with a transformed value, such as its decoded form.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Fetched<Other> {
    switch self {
    case .value(let value, let details): .value(try transform(value), details)
    case .notModified(let details): .notModified(details)
    case .gone(let details): .gone(details)
    }
  }
}

extension Fetched: Equatable where Value: Equatable {}

/// The facts about a fetched value.
/// For a field that is `nil` the policy in force applies. A duration beyond `Duration.unlimited` is cut to it.
public struct FetchDetails: Sendable, Hashable {
  /// The time when the value was last known to equal its source.
  /// `nil` means the base that ``Policy/ageBase`` names, by default the beginning of the fetch.
  public var lastUpdate: Timestamp?
  /// How long the value is valid from ``lastUpdate``.
  public var expiry: Expiry?
  /// True when the source states no lifetime, and ``expiry`` is a guess by the time since its last change (RFC 9111
  /// section 4.2.2).
  package var isExpiryGuessed = false
  /// The upper bound of the value's validity, whatever expiry the fetch or a policy states; `nil` for no bound.
  public var maximumExpiry: Duration?
  /// How long past its expiry the value may be served while it is refreshed (RFC 5861 section 3).
  public var graceWhileRevalidating: Duration?
  /// How long past its expiry the value may be served when the refresh fails (RFC 5861 section 4).
  public var graceOnError: Duration?
  /// How long after ``lastUpdate`` the value may be served at all.
  public var hardEnd: Duration?
  /// True when the source forbids serving the value stale, offline or not (RFC 9111 section 5.2.2.2).
  public var mustRevalidate: Bool
  /// False when the source forbids keeping the value (RFC 9111 section 5.2.2.5).
  /// The caller then gets the value, and the store keeps nothing of it.
  public var isStorable: Bool
  /// The validators for the next conditional request.
  public var validators: Validators
  /// Labels by which the record can be marked stale; `nil` keeps the labels of the copy.
  public var tags: Set<String>?
  /// The source of the value, for people; a URL without secrets, or a label.
  public var source: String?
  /// The full address of the next fetch, when ``source`` leaves a part of it out, such as a query.
  /// `nil` when ``source`` is the address. The address is kept in the file, and handed to synchronizers
  /// and workers of the refetch queue. No message shows it.
  public var address: String?
  /// The media type.
  public var contentType: String?
  /// The difference between this variant and others under the same key (RFC 9111 section 4.1).
  public var variant: String?
  /// Data that the fetcher gets back as ``Previous/metadata`` at the next fetch.
  public var metadata: String?

  /// Creates details; the defaults state nothing.
  public init(
    lastUpdate: Timestamp? = nil, expiry: Expiry? = nil, graceWhileRevalidating: Duration? = nil,
    graceOnError: Duration? = nil, hardEnd: Duration? = nil, mustRevalidate: Bool = false,
    isStorable: Bool = true, validators: Validators = Validators(), tags: Set<String>? = nil,
    source: String? = nil, address: String? = nil, contentType: String? = nil,
    variant: String? = nil,
    metadata: String? = nil
  ) {
    self.lastUpdate = lastUpdate
    self.expiry = expiry
    self.graceWhileRevalidating = graceWhileRevalidating
    self.graceOnError = graceOnError
    self.hardEnd = hardEnd
    self.mustRevalidate = mustRevalidate
    self.isStorable = isStorable
    self.validators = validators
    self.tags = tags
    self.source = source
    self.address = address
    self.contentType = contentType
    self.variant = variant
    self.metadata = metadata
  }
}

extension FetchDetails {
  /// The expiry that the fetch states, or else the policy's expiry, bounded by the fetch's maximum.
  package func expiry(orOfPolicy expiry: Expiry) -> Expiry {
    let expiry = self.expiry ?? expiry
    guard let maximumExpiry else { return expiry }
    switch expiry {
    case .immediately: return expiry
    case .after(let duration) where duration <= maximumExpiry: return expiry
    case .after, .never, .unstated:
      return maximumExpiry > .zero ? .after(maximumExpiry) : .immediately
    }
  }
}

/// The stored state of a key when its fetch began: the basis for a conditional request.
///
/// Validators may exist without a usable value, and the other way round. A fetch that sends
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
