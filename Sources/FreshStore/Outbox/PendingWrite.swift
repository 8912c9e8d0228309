/// One local write, as passed to the closure that pushes it to the source.
public struct PendingWrite<Value: Sendable>: Sendable {
  /// The key.
  public let key: String
  /// The requested operation.
  public let kind: WriteKind
  /// The value as it was written; `nil` for a deletion.
  public let value: Value?
  /// The name of this write at the source: send it along (HTTP: `Idempotency-Key`). A write whose answer was lost is
  /// then not applied twice.
  ///
  /// Some sources do not know such names. There, a write with ``baseValidators`` meets its own effect: a conflict
  /// between equal sides, which counts as none.
  public let idempotencyKey: String
  /// The last known state of the source, on which the write was based; `nil` when it held nothing,
  /// or is unknown.
  ///
  /// Without ``baseValidators`` the source itself cannot notice a lost update. Where that matters, compare its present
  /// value with the base. Where ``isBaseUnseen`` is true, the store does so.
  public let base: Value?
  /// The validators of the version on which the write was based. Send them (HTTP: `If-Match`), so that the source
  /// notices a lost update.
  public let baseValidators: Validators
  /// True when the source was last known to hold nothing (HTTP: `If-None-Match: *` where a value is written).
  ///
  /// False where the write itself states that. Such writes have the ``kind`` `create`, and ask for absence in any case:
  ///
  /// - a write ``WriteKind/create``,
  /// - a write whose basis says that there was nothing,
  /// - an `update` of nothing.
  public let isBaseAbsent: Bool
  /// True when the write states its basis, and the source's version of that basis is unknown.
  ///
  /// The version was never seen at the source, or it is no longer kept, as after a prune. Nothing may be overwritten
  /// unseen: look at the source first (HTTP: `GET` before the write).
  ///
  /// A source of your own answers such a write with a conflict and its present value. The store compares that value
  /// with ``base``. Where they are equal, it sends the write again, based on the present value and with its version.
  public let isBaseUnseen: Bool
  /// The media type stated when the value was written.
  public let contentType: String?
  /// The address that was stated for this write (`WriteOptions.address`), or for the write before it. It is `nil`
  /// without such an address, and where that is ``recordAddress``. It may hold secrets.
  public let address: String?
  /// The address of the record, as its last fetch or put stated it; `nil` when none did. It may hold secrets. The
  /// source need not know this address.
  public let recordAddress: String?
  /// The data that the last fetch asked to get back.
  public let metadata: String?
  /// The number of earlier attempts without an answer that settled the write (`OutboxEntry.attempts`). The write may
  /// have arrived although this is 0 (``mayHaveArrived``).
  public let attempts: Int
  /// True when an earlier request with ``idempotencyKey`` may have reached the source.
  ///
  /// Its answer was lost, or has not settled the write. The source's value may be this write's own effect, even where
  /// it is neither ``base`` nor ``value``. The source may have changed the value that it stored. Only the key tells.
  public let mayHaveArrived: Bool

  /// Creates a write; for the store, and for tests of a push.
  public init(
    key: String, kind: WriteKind, value: Value?, idempotencyKey: String, base: Value? = nil,
    baseValidators: Validators = Validators(), isBaseAbsent: Bool = false,
    isBaseUnseen: Bool = false, contentType: String? = nil, metadata: String? = nil,
    attempts: Int = 0, mayHaveArrived: Bool = false, address: String? = nil,
    recordAddress: String? = nil
  ) {
    self.key = key
    self.kind = kind
    self.value = value
    self.idempotencyKey = idempotencyKey
    self.base = base
    self.baseValidators = baseValidators
    self.isBaseAbsent = isBaseAbsent
    self.isBaseUnseen = isBaseUnseen
    self.contentType = contentType
    self.metadata = metadata
    self.attempts = attempts
    self.mayHaveArrived = mayHaveArrived
    self.address = address
    self.recordAddress = recordAddress
  }

  /// The same write with transformed values, such as their bytes.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> PendingWrite<Other> {
    PendingWrite<Other>(
      key: key, kind: kind, value: try value.map(transform), idempotencyKey: idempotencyKey,
      base: try base.map(transform), baseValidators: baseValidators,
      isBaseAbsent: isBaseAbsent, isBaseUnseen: isBaseUnseen, contentType: contentType,
      metadata: metadata, attempts: attempts, mayHaveArrived: mayHaveArrived,
      address: address, recordAddress: recordAddress)
  }
}

/// The operation that a local write requests from its source.
public enum WriteKind: Sendable, Hashable {
  /// Create an object that does not exist yet (`If-None-Match: *`).
  case create
  /// Replace the object's value by this one.
  case replace
  /// Change the object by a document of the given media type, such as a JSON merge patch (RFC 7396). The value stored
  /// here is the expected result.
  case patch([UInt8], contentType: String)
  /// Delete the object.
  case delete
}

/// A local write from the outbox, with the claim to push it for a while.
package struct DueWrite: Sendable {
  /// The entry.
  package let entry: OutboxEntry
  /// The address to send the write to. It may hold secrets.
  package let address: String?
  let claim: OutboxClaim
}

/// The outcome of a request to hand out local writes.
package struct ClaimedWrites: Sendable {
  /// The writes handed out.
  package let due: [DueWrite]
  /// The writes parked instead, because their bytes changed on the disk.
  package let parked: [OutboxEntry]
}

/// A source's answer to a pushed local write.
///
/// An error thrown by the push means that nothing is known: the write is sent again, under the same
/// idempotency key, after a pause.
public enum Pushed<Value: Sendable>: Sendable {
  /// The source accepted the write unchanged. The details state facts to store beside the value, among them the
  /// validators of the new version. Without validators, the next write cannot depend on that version.
  case accepted(FetchDetails)
  /// The source accepted the write, and changed it to this value.
  ///
  /// A local write that was made from the written value follows this value, whether it already waits or not. Where the
  /// policy merges, such a write is a conflict instead, unless it is a patch or both values are the same.
  case acceptedAs(Value, FetchDetails)
  /// The source's state differs from the write's base; this is its current state. `notModified` is not an answer here
  /// and counts as a failed push.
  case conflict(Fetched<Value>)
  /// The source will never accept the write. The write is parked, and keeps the source's refusal
  /// (``OutboxEntry/refusal``). A text is enough: `.refused("the report is closed")`.
  case refused(Refusal)

  /// The source accepted the write, without further details.
  public static var accepted: Pushed { .accepted(FetchDetails()) }

  /// The same answer with transformed values, such as their decoded form.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Pushed<Other> {
    switch self {
    case .accepted(let details): .accepted(details)
    case .acceptedAs(let value, let details): .acceptedAs(try transform(value), details)
    case .conflict(let current): .conflict(try current.map(transform))
    case .refused(let refusal): .refused(refusal)
    }
  }
}
