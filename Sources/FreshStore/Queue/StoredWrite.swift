internal import Strategies

/// A row of the table `outbox`, read in one snapshot.
package struct StoredWrite: Sendable {
  /// The owner of the claim to push the entry.
  struct Holder {
    let owner: String
    let fence: Int64
    let boot: Int64
    /// On the boot clock.
    let deadline: Int64
  }

  package var id: Int64 = 0
  package let collection: String
  package let key: String
  var kind: OutboxEntry.Kind
  package var idempotencyKey: String
  var writtenAt: Timestamp
  /// The new value of the object; `nil` for a deletion.
  var payload: [UInt8]?
  var patch: [UInt8]?
  var patchType: String?
  var contentType: String?
  var address: String?
  /// The tags of the record while the write waits; `nil` until the write is stored.
  var tags: Set<String>?
  var codec: String
  var contentVersion: Int64
  var attempts: Int64 = 0
  /// The number of consecutive conflicts. In a conflict the write met another change at its source, or its resolution
  /// met a newer write here.
  var conflicts: Int64 = 0
  var nextAttempt: Timestamp?
  /// The moment since which the write is due: when it was written or last tried, or the end of its pause. Among writes
  /// of one priority the one that is due for longest goes first.
  var dueAt: Timestamp
  /// True when the source named ``nextAttempt``.
  var isPauseNamed = false
  var failure: String?
  /// The source's answer when it refused the write.
  var refusal: [UInt8]?
  var isParked = false
  var holder: Holder?
  /// The number under which the write was first sent, if no answer to that is known; `nil` before. The source's state
  /// may be as old as that request.
  var asked: Int64?
  /// Replaces ``asked`` when later marks are lost with a damaged file.
  static let askedBeforeLostMarks: Int64 = -1
  /// The time at which the write was first sent, if no answer to that is known.
  var askedAt: Timestamp?
  /// The number of attempts since a caller last asked for the write, by a retry or a correction. Limits count it.
  var tries: Int64 = 0
  /// The time of the first of these attempts. Limits count from it.
  var triedAt: Timestamp?
  /// True when a request with several writes may have failed because of this one: it is sent by itself.
  var isSuspect = false
  /// Writes of a higher priority go first.
  var priority: Int64 = 0
  /// The number of a write, of any key, that has to be settled before this one is sent.
  var after: Int64?
  /// The numbers of the writes that this one has replaced after a conflict. A write that comes after one of them comes
  /// after this one.
  var merged: [Int64] = []
  /// `nil` when the basis is the known state of the source, or the write before this one.
  var basis: WriteBasis?
  /// False when the row's checksum does not match the row: such an entry is never pushed.
  var isIntact = true

  static let damage = "the checksum of the entry does not match its bytes"
  static let outdated = "something was written while it was resolved"

  /// True when the write waits until it is retried or dropped on request.
  var needsSomebody: Bool { isParked || !isIntact }

  /// True when no attempt can have been made, so that the entry may be replaced.
  var isUntouched: Bool { attempts == 0 && asked == nil && holder == nil && !needsSomebody }

  /// True when a living owner holds the claim to push the write.
  func isHeld(at now: ClockReading) -> Bool {
    // A claim of another boot has no living owner.
    guard let holder, holder.boot == now.boot else { return false }
    return holder.deadline > now.sinceBoot
  }

  /// Makes the entry wait for its next attempt, behind all entries that are due by then; with `nil` it keeps its place.
  mutating func pause(until moment: Timestamp?, isNamed: Bool = false) {
    (nextAttempt, isPauseNamed) = (moment, moment != nil && isNamed)
    dueAt = moment ?? dueAt
  }

  /// Makes the entry wait until it is retried or dropped.
  mutating func park(_ reason: String, _ refusal: Refusal? = nil) {
    isParked = true
    (failure, self.refusal) = (reason, refusal?.encoded)
  }

  /// Makes the entry due at once, as if it had waited until `now`, because a caller asks for it to be sent. Limits
  /// count anew.
  mutating func begin(at now: Timestamp) {
    pause(until: nil)
    dueAt = min(dueAt, now)
    (isParked, isSuspect) = (false, false)
    (tries, triedAt, conflicts) = (0, nil, 0)
  }

  /// The write's state for observers.
  var news: Change.Write { Change.Write(id, until: nextAttempt, reason: failure) }

  /// The write's form in a listing.
  func entry(at now: ClockReading) -> OutboxEntry {
    OutboxEntry(
      id: id, collection: collection, key: key, kind: kind, idempotencyKey: idempotencyKey,
      writtenAt: writtenAt, size: (patch ?? payload)?.count ?? 0, attempts: Int(attempts),
      nextAttempt: nextAttempt, failure: isIntact ? failure : Self.damage,
      state: needsSomebody ? .parked : isHeld(at: now) ? .pushing : .waiting,
      refusal: isParked && isIntact ? shownRefusal : nil, priority: Int(priority), after: after)
  }
}

extension StoredWrite {
  private var shownRefusal: Refusal? {
    refusal.map { Refusal(failure ?? "", encoded: $0) }
  }

  /// A random UUID (RFC 9562 section 5.4), as draft-ietf-httpapi-idempotency-key-header recommends.
  static func newIdempotencyKey() -> String {
    let high = UInt64.random(in: .min ... .max) & ~0xf000 | 0x4000
    let low = UInt64.random(in: .min ... .max) & (.max >> 2) | 1 << 63
    var digits = [high, low].map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    for place in [20, 16, 12, 8] {
      digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place))
    }
    return digits
  }
}

/// The version of an object on which a local write is based, when the source is not known to have that version.
struct WriteBasis: FieldCoded, Sendable, Hashable {
  var value: [UInt8]?
  var codec: String?
  var contentVersion: Int64?
  var validators = Validators()
  /// The fetcher's data that belongs to the validators.
  var metadata: String?
  /// The checksum of the value in a local write: the source may accept that value as another one.
  var written: Int64?
  private var met: Int64?
  private var later: [UInt8] = []

  init() {}

  mutating func visit(_ visitor: inout some FieldVisitor) {
    visitor.bytes(1, &value)
    visitor.text(2, &codec)
    visitor.integer(3, &contentVersion)
    visitor.text(4, &validators.entityTag)
    visitor.text(5, &validators.lastModified)
    visitor.text(6, &metadata)
    visitor.integer(7, &written)
    visitor.integer(8, &met)
    visitor.later(&later)
  }

  /// True when the write has met the known state of the source in place of this version. The user sees that state as
  /// the conflict, and bases a correction on it.
  var hasMetAnother: Bool {
    get { met != nil }
    set { met = newValue ? 1 : nil }
  }

  /// The known state of a source, as the basis of a write that meets another state there. A long value, which is in
  /// blocks, is not copied: its version says enough.
  init(of base: StoredRecord?) {
    guard let base, base.isIntact else { return }
    let content = base.content
    (validators, metadata) = (content.validators, content.metadata)
    guard base.kind == .value, content.blocks == nil else { return }
    (value, codec, contentVersion) = (content.value, content.codec, content.contentVersion)
  }

  init(of write: StoredWrite) {
    guard write.kind != .delete else { return }
    (value, codec, contentVersion) = (write.payload, write.codec, write.contentVersion)
  }
}

extension [StoredWrite] {
  /// The first waiting writes of a key that can be merged into one. Each was made from the one before it, and waits for
  /// nothing else.
  var mergeable: [StoredWrite] {
    Array(prefix(1) + dropFirst().prefix { $0.basis == nil && $0.after == nil })
  }
}

/// The right to push one entry, held by one owner until a deadline.
///
/// The fence is new with every claim, so an owner that wakes up late settles nothing. The idempotency key distinguishes
/// the write from a write of another file, where all numbers begin anew, and from one whose content was replaced.
struct OutboxClaim: Sendable, Hashable {
  let id: Int64
  let idempotencyKey: String
  let collection: String
  let key: String
  let owner: String
  let fence: Int64
  /// The format of the value; `nil` for a deletion.
  let format: Format?

  /// The codec and the content version of a value: they decide whether a program can read it.
  struct Format: Sendable, Hashable {
    let codec: String
    let contentVersion: Int64
  }
}
