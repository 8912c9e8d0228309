public import Strategies

/// The result of a read, which never fetches and never waits.
public enum Reading<Value: Sendable>: Sendable {
  /// A copy that may be served.
  /// When its decision's outcome is ``Decision/Outcome/offline``, it may be served because its source is unreachable.
  case fresh(Copy<Value>)
  /// A copy that must be fetched again.
  case stale(Copy<Value>)
  /// The stored record has no usable value: it is damaged, undecodable or past its hard end, or breaks its rules.
  case unusable(Decision)
  /// Nothing is stored, or the source reported that the object does not exist.
  case missing(Decision)

  /// The gate's decision.
  public var decision: Decision {
    switch self {
    case .fresh(let copy), .stale(let copy): copy.decision
    case .unusable(let decision), .missing(let decision): decision
    }
  }

  /// The copy, fresh or stale.
  public var copy: Copy<Value>? {
    switch self {
    case .fresh(let copy), .stale(let copy): copy
    case .unusable, .missing: nil
    }
  }
}

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

  /// When the value was last known to equal its source.
  public var lastUpdate: Timestamp? { decision.lastUpdate }
  /// How long the value is valid from then.
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

/// The facts about the fetch that a copy came from.
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

  /// `nil` when the record states none of these facts.
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

/// One record of a listing: its stamps and the gate's decision, without its value.
public struct RecordSummary: Sendable {
  /// The collection.
  public let collection: String
  /// The key.
  public let key: String
  /// The size of the value in bytes.
  public let size: Int
  /// The media type.
  public let contentType: String?
  /// The source's URL or label.
  public let source: String?
  /// The tags, sorted.
  public let tags: [String]
  /// True when the record is never pruned.
  public let isPinned: Bool
  /// True when a local write waits to reach the source.
  public let isPending: Bool
  /// The gate's decision without reachability.
  public let decision: Decision
}
