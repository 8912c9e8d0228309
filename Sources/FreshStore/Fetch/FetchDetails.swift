public import Strategies

/// What a fetch knows beside the value. Everything left `nil` falls to the policy in force.
public struct FetchDetails: Sendable, Hashable {
  /// When the value was last known to equal its source; `nil` means what
  /// ``Policy/ageBase`` says, by default the beginning of the fetch.
  public var lastUpdate: Timestamp?
  /// How long it holds from ``lastUpdate``.
  public var expiry: Expiry?
  /// The longest it may hold, whatever is stated of its expiry, here or by a policy; `nil` for no bound.
  public var maximumExpiry: Duration?
  /// How long past its expiry it may be served while it is refreshed (RFC 5861 section 3).
  public var graceWhileRevalidating: Duration?
  /// How long past its expiry it may be served when the refresh fails (RFC 5861 section 4).
  public var graceOnError: Duration?
  /// How long after ``lastUpdate`` it may be served at all.
  public var hardEnd: Duration?
  /// True when the source forbids serving it stale, offline or not (RFC 9111 section 5.2.2.2).
  public var mustRevalidate: Bool
  /// False when the source forbids keeping it (RFC 9111 section 5.2.2.5): the caller gets the
  /// value, the store keeps nothing of it.
  public var isStorable: Bool
  /// What to ask conditionally with next time.
  public var validators: Validators
  /// Labels by which the record can be marked stale; `nil` keeps those of the copy.
  public var tags: Set<String>?
  /// Where the value came from, for people; a URL without secrets, or a label.
  public var source: String?
  /// The media type.
  public var contentType: String?
  /// What distinguishes this variant from others under the same key (RFC 9111 section 4.1).
  public var variant: String?
  /// What the fetcher wants handed back as ``Previous/metadata`` at the next fetch.
  public var metadata: String?

  /// Creates details; the defaults state nothing.
  public init(
    lastUpdate: Timestamp? = nil, expiry: Expiry? = nil, graceWhileRevalidating: Duration? = nil,
    graceOnError: Duration? = nil, hardEnd: Duration? = nil, mustRevalidate: Bool = false,
    isStorable: Bool = true, validators: Validators = Validators(), tags: Set<String>? = nil,
    source: String? = nil, contentType: String? = nil, variant: String? = nil,
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
    self.contentType = contentType
    self.variant = variant
    self.metadata = metadata
  }
}

extension FetchDetails {
  /// What the fetch states of the expiry, or else the policy, within what the fetch allows.
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
