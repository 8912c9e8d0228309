/// One local write, as passed to the closure that pushes it to the source.
public struct PendingWrite<Value: Sendable>: Sendable {
  /// The key.
  public let key: String
  /// The requested operation.
  public let kind: WriteKind
  /// The value as it was written; `nil` for a deletion.
  public let value: Value?
  /// Names this write to the source: send it along (HTTP: `Idempotency-Key`), so that a write whose
  /// answer was lost is not applied twice. At a source that does not know such names a write with
  /// ``baseValidators`` meets its own effect instead: a conflict between equal sides, which is none.
  public let idempotencyKey: String
  /// The last known state of the source, on which the write was based; `nil` when it held nothing,
  /// or is unknown.
  ///
  /// Without ``baseValidators`` the source itself cannot notice a lost update: where that matters, compare what it
  /// holds; where ``isBaseUnseen`` is true, the store does so.
  public let base: Value?
  /// Tells the source the version on which the write was based (HTTP: `If-Match`), so that a lost
  /// update is noticed.
  public let baseValidators: Validators
  /// True when the source was last known to hold nothing (HTTP: `If-None-Match: *` where a value is
  /// written). False where the write itself states that: a write ``WriteKind/create``, one whose basis is that there
  /// was nothing, and an `update` of nothing have the ``kind`` `create`, and ask for absence whatever is known.
  public let isBaseAbsent: Bool
  /// True when the write states what it was made from, and the source's version of that is unknown: nobody has
  /// seen it there, or what was seen is no longer kept, as after a prune. Nothing may be overwritten unseen: look
  /// first. A source of one's own answers such a write with a conflict and what it holds: the store compares that
  /// with ``base``, and where they are equal sends the write again, upon what was found and with its version
  /// (HTTP: `GET` before the write).
  public let isBaseUnseen: Bool
  /// The media type stated when the value was written.
  public let contentType: String?
  /// The address that was stated for the write (`WriteOptions.address`), or for the one before it, where that is
  /// not ``recordAddress``; else `nil`. It may hold secrets.
  public let address: String?
  /// The address of the record, as its last fetch or put has stated it; `nil` when none has. It may hold secrets,
  /// and need not be an address that the source knows.
  public let recordAddress: String?
  /// The data that the last fetch asked to get back.
  public let metadata: String?
  /// The number of earlier attempts without an answer that settled it (`OutboxEntry.attempts`). It may
  /// have arrived although this is 0 (``mayHaveArrived``).
  public let attempts: Int
  /// True when an earlier request with ``idempotencyKey`` may have reached the source: its answer was lost, or
  /// has not settled the write. What the source holds may be this write's own effect, also where it is neither
  /// ``base`` nor ``value``: the source may have changed what it has stored. Only the key tells.
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
  /// Change the object by a document of the given media type, such as a JSON merge patch (RFC
  /// 7396); the value stored here is the expected result.
  case patch([UInt8], contentType: String)
  /// Delete the object.
  case delete
}

/// A local write from the outbox, with the right to push it for a while.
package struct DueWrite: Sendable {
  /// The entry.
  package let entry: OutboxEntry
  /// The address to send it to. It may hold secrets.
  package let address: String?
  let claim: OutboxClaim
}

/// The outcome of a request to hand out local writes.
package struct ClaimedWrites: Sendable {
  /// The writes handed out.
  package let due: [DueWrite]
  /// The writes parked instead, as their bytes changed on the disk.
  package let parked: [OutboxEntry]
}

/// A source's answer to a pushed local write.
///
/// An error thrown by the push means that nothing is known: the write is sent again, under the same
/// idempotency key, after a pause.
public enum Pushed<Value: Sendable>: Sendable {
  /// It accepted the write unchanged; the details state facts to store beside the value. The validators of
  /// the new version belong to them: without any, the next write cannot depend on it.
  case accepted(FetchDetails)
  /// It accepted the write, and changed it to this value. A local write that was made from the value as
  /// written, whether it waits already or not, follows it; where the policy merges, any but a patch is a
  /// conflict instead, unless both values are the same.
  case acceptedAs(Value, FetchDetails)
  /// Its state differs from the write's base; this is its current state. `notModified` is not an
  /// answer here and counts as a failed push.
  case conflict(Fetched<Value>)
  /// It will never accept the write: the write is parked, and keeps what the source has said
  /// (``OutboxEntry/refusal``). Words alone will do: `.refused("the report is closed")`.
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
