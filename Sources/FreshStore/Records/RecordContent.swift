package import Strategies

/// The content of a record as its writer states it; the store adds everything else.
package struct RecordContent: Sendable {
  package var collection: String
  package var key: String
  /// The value. A new one is in no blocks yet.
  package var value: [UInt8]? { didSet { blocks = nil } }
  package var lastUpdate: Timestamp?
  package var expiry: Expiry
  package var mustRevalidate = false
  package var codec = ""
  package var contentVersion: Int64 = 0
  /// The blocks of the value, whether or not ``value`` was read from them; `nil` for a value in its row.
  package private(set) var blocks: ContentReference?
  /// The size of the value when the value itself was not read.
  private var unreadSize: Int64?
  private var kept: KeptDetails?

  /// Details with their encoded form, which is built once.
  /// A class, because every read passes its record on. Most records have no details.
  private final class KeptDetails: Sendable {
    let details: RecordDetails
    let encoded: [UInt8]

    init(_ details: RecordDetails, _ encoded: [UInt8]) {
      self.details = details
      self.encoded = encoded
    }
  }

  package init(collection: String, key: String, expiry: Expiry) {
    (self.collection, self.key, self.expiry) = (collection, key, expiry)
  }

  var id: RecordID { RecordID(collection, key) }

  var size: Int64 {
    get { value.map { Int64($0.count) } ?? unreadSize ?? 0 }
    set { unreadSize = newValue }
  }

  var details: RecordDetails {
    get { kept?.details ?? RecordDetails() }
    set {
      let encoded = newValue.encoded
      kept = encoded.isEmpty ? nil : KeptDetails(newValue, encoded)
    }
  }

  /// False for most records.
  var hasDetails: Bool { kept != nil }

  /// The column form of ``details``.
  var storedDetails: [UInt8]? {
    get { kept?.encoded }
    set {
      guard newValue != kept?.encoded else { return }
      kept = newValue.map { KeptDetails(RecordDetails(encoded: $0), $0) }
    }
  }
}

extension RecordContent {
  package var hardEnd: Duration? {
    get { kept?.details.hardEnd }
    set { details.hardEnd = newValue }
  }
  package var graceWhileRevalidating: Duration? {
    get { kept?.details.graceWhileRevalidating }
    set { details.graceWhileRevalidating = newValue }
  }
  package var graceOnError: Duration? {
    get { kept?.details.graceOnError }
    set { details.graceOnError = newValue }
  }
  package var validators: Validators {
    get { kept?.details.validators ?? Validators() }
    set { details.validators = newValue }
  }
  package var source: String? {
    get { kept?.details.source }
    set { details.source = newValue }
  }
  package var address: String? {
    get { kept?.details.address }
    set { details.address = newValue }
  }
  /// The address of the next fetch.
  var addressToAsk: String? { address ?? source }

  /// Sets the address, and the source to the address without its query, which often contains secrets.
  mutating func setAddress(_ full: String) {
    let label = full.utf8.firstIndex(of: UInt8(ascii: "?")).map { full[..<$0] + "?…" }
    (source, address) = (label.map { String($0) } ?? full, label == nil ? nil : full)
  }
  package var contentType: String? {
    get { kept?.details.contentType }
    set { details.contentType = newValue }
  }
  package var variant: String? {
    get { kept?.details.variant }
    set { details.variant = newValue }
  }
  package var metadata: String? {
    get { kept?.details.metadata }
    set { details.metadata = newValue }
  }
  package var fetchCost: Int64? {
    get { kept?.details.fetchCost }
    set { details.fetchCost = newValue }
  }
  /// True for a record that is fetched only when a caller asks for it, such as a gateway's copy. Only that caller has
  /// an address to ask, so the record has no place in the refetch queue.
  package var isOnDemand: Bool {
    get { kept?.details.onDemand != nil }
    set { details.onDemand = newValue ? 1 : nil }
  }
  var madeOf: Int64? {
    get { kept?.details.madeOf }
    set { details.madeOf = newValue }
  }

  /// Keeps ``madeOf`` of the known value when another answer of the source brings the same value.
  mutating func keepMadeOf(_ known: RecordContent?) {
    guard let known, let madeOf = known.madeOf else { return }
    let tag = validators.entityTag
    guard hasSameValue(as: known) || tag != nil && tag == known.validators.entityTag else { return }
    self.madeOf = madeOf
  }

  private func hasSameValue(as other: RecordContent) -> Bool {
    switch (blocks, other.blocks) {
    case (nil, nil): value == other.value
    case (let own?, let others?): own.checksum == others.checksum
    // One of the values was not read, or neither exists.
    default: value != nil && value == other.value
    }
  }

  /// True for a value that belongs in blocks.
  var isLong: Bool { blocks != nil || value?.count ?? 0 > ContentReference.blockSize }

  /// Notes the blocks of the value. The bytes, as far as they are known, stay.
  mutating func place(in blocks: ContentReference?) {
    self.blocks = blocks
    if let blocks, value == nil { unreadSize = blocks.size }
  }

  /// Adds the value that was read from its blocks.
  mutating func join(_ bytes: [UInt8]) {
    var joined = blocks
    joined?.size = Int64(bytes.count)
    value = bytes
    blocks = joined
  }

  /// Takes the value of another state of the record, and leaves it in its blocks or its row.
  mutating func keepValue(of other: RecordContent) {
    value = other.value
    place(in: other.blocks)
  }

  /// Gives up only the bytes. The record still has a value.
  package mutating func dropBytes() {
    let (place, bytes) = (blocks, size)
    value = nil
    blocks = place
    unreadSize = bytes
  }

  /// Gives up the blocks, because the bytes, which were read, are kept elsewhere.
  mutating func detach() { blocks = nil }
}

extension Expiry {
  /// The column form: milliseconds, −1 for never, NULL for unstated.
  package var stored: Int64? {
    switch self {
    case .after(let duration): min(max(0, duration.wholeMilliseconds), Self.longest)
    case .never: -1
    case .immediately: 0
    case .unstated: nil
    }
  }

  package init(stored: Int64?) {
    switch stored {
    case nil: self = .unstated
    case -1: self = .never
    case 0: self = .immediately
    case .some(let milliseconds): self = .after(.milliseconds(milliseconds))
    }
  }

  /// The cap of a span, some 30,000 years: with it `last_update + expiry` stays an integer.
  private static let longest: Int64 = 1_000_000_000_000_000
}
