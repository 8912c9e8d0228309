internal import Strategies

extension StoredWrite {
  /// The columns that ``init(row:)`` reads, in its order; the table's name in the query is `o`.
  static let columns = """
    o.id, o.collection, o.key, o.kind, o.idempotency_key, o.written_at, o.patch_type, \
    o.content_type, o.codec, o.content_version, o.attempts, o.next_attempt, o.failure, o.parked, \
    o.owner, o.fence, o.boot, o.deadline, o.asked, o.checksum, o.address, o.tags, o.conflicts, \
    o.asked_at, o.priority, o.after, o.basis, o.pause_named, o.refusal, o.tries, o.tried_at, \
    o.due_at, o.suspect, o.merged, o.patch, o.payload
    """

  /// Reads the current row of `row` and verifies its checksum.
  init(row: borrowing Statement) {
    let kind = OutboxEntry.Kind(stored: row.int(3))
    self.init(
      id: row.int(0), collection: row.text(1), key: row.text(2), kind: kind ?? .replace,
      idempotencyKey: row.text(4), writtenAt: row.moment(5),
      payload: row.isNull(35) ? nil : row.bytes(35), patch: row.isNull(34) ? nil : row.bytes(34),
      patchType: row.optionalText(6), contentType: row.optionalText(7),
      address: row.optionalText(20), tags: row.optionalText(21).map(Self.tags), codec: row.text(8),
      contentVersion: row.int(9), attempts: row.int(10), conflicts: row.int(22),
      nextAttempt: row.optionalMoment(11),
      dueAt: row.moment(31),
      isPauseNamed: row.bool(27), failure: row.optionalText(12),
      refusal: row.isNull(28) ? nil : row.bytes(28), isParked: row.bool(13),
      holder: row.optionalText(14).map {
        Holder(owner: $0, fence: row.int(15), boot: row.int(16), deadline: row.int(17))
      }, asked: row.optionalInt(18),
      askedAt: row.optionalMoment(23),
      tries: row.int(29), triedAt: row.optionalMoment(30),
      isSuspect: row.bool(32), priority: row.int(24), after: row.optionalInt(25),
      merged: row.optionalText(33).map(Self.numbers) ?? [],
      basis: row.isNull(26) ? nil : WriteBasis(encoded: row.bytes(26)))
    isIntact = kind != nil && checksum == row.int(19)
  }

  /// The checksum of only its value; `nil` for a deletion.
  var valueChecksum: Int64? { payload.map { StoredRecord.checksum(of: $0) } }

  /// The checksum over everything to be sent. The columns that only schedule it are left out.
  var checksum: Int64 {
    var checksum = Checksum()
    checksum.combine(id)
    checksum.combine(collection)
    checksum.combine(key)
    checksum.combine(kind.stored)
    checksum.combine(idempotencyKey)
    checksum.combine(writtenAt.millisecondsSinceEpoch)
    checksum.combine(patchType)
    checksum.combine(contentType)
    checksum.combine(codec)
    checksum.combine(contentVersion)
    checksum.combine(address)
    checksum.combine(tagsText)
    checksum.combine(basis?.encoded)
    checksum.combine(patch)
    checksum.combine(payload)
    return Int64(bitPattern: checksum.value)
  }

  // MARK: Lists in columns

  /// The column form of ``merged``; `nil` for none.
  var mergedText: String? {
    merged.isEmpty ? nil : "," + merged.map { "\($0)," }.joined()
  }

  fileprivate static func numbers(_ text: String) -> [Int64] {
    text.split(separator: ",").compactMap { Int64($0) }
  }

  /// The column form of the tags: each after its number of bytes, as a tag may hold any byte.
  var tagsText: String? { tags.map(Self.text) }

  static func text(of tags: some Sequence<String>) -> String {
    tags.sorted().map { "\($0.utf8.count):\($0)" }.joined()
  }

  static func tags(_ text: String) -> Set<String> {
    var rest = text.utf8[...]
    var tags: Set<String> = []
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")),
      let count = Int(String(decoding: rest[..<colon], as: UTF8.self))
    {
      rest = rest[rest.index(after: colon)...]
      guard (0...rest.count).contains(count) else { break }
      tags.insert(String(decoding: rest.prefix(count), as: UTF8.self))
      rest = rest.dropFirst(count)
    }
    return tags
  }
}

extension OutboxEntry.Kind {
  /// The column form.
  var stored: Int64 {
    switch self {
    case .create: 0
    case .replace: 1
    case .patch: 2
    case .delete: 3
    }
  }

  init?(stored: Int64) {
    guard let kind = Self.allCases.first(where: { $0.stored == stored }) else { return nil }
    self = kind
  }
}
