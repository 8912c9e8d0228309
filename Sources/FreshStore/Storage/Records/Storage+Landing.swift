internal import Strategies

/// The single entry point. Every value from a source, by a fetch, a push, a list or an import, is checked here
/// against the stored state.
///
/// An answer is as old as its request, whose number was drawn from the store's sequence when it was sent. A mark
/// with a higher number covers it, whether the mark names a key, a tag, a prefix or a collection.
///
/// An answer never replaces the answer to a newer request, even if that is not kept. Nor does it replace a local
/// write.
extension Storage {
  /// The outcome of an answer.
  enum Landing {
    /// It is stored; the row as it now is.
    case stored(StoredRecord)
    /// The record has a local write that its source has not accepted.
    case pending
    /// The stored row answers a newer request.
    case overtaken(StoredRecord)
    /// A newer request was answered, and nothing of that is kept.
    case outdated
  }

  /// Stores an answer, marked stale where a mark is newer than its request.
  func land(
    _ write: Write, asked number: Int64, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Landing {
    let current = try record(write.content.collection, write.content.key, joins: false, connection)
    return try land(write, over: current, asked: number, now: now, connection)
  }

  /// As above, with the row to be replaced.
  func land(
    _ write: Write, over current: StoredRecord?, asked number: Int64, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Landing {
    if let current {
      if current.isPending { return .pending }
      // A note of failures, or a damaged row, is no answer.
      if current.epoch > number, current.isIntact, current.kind != .unfetched {
        return .overtaken(current)
      }
    }
    // Not a set: of two tags that only Swift considers equal either may be marked.
    var tags = Array(write.tags ?? [])
    if let current, current.isTagged { tags += try Self.tags(of: current.row, connection) }
    let mark = try mark(
      over: write.content.collection, write.content.key, tags: tags, standing: current?.mark,
      since: number, connection)
    // The note of such an answer is a mark, too.
    if mark != nil, current?.isIntact != true || current?.kind == .unfetched,
      try isAnswered(write.content.collection, write.content.key, after: number, connection)
    {
      return .outdated
    }
    let old = current.map(Identity.init)
    var write = write
    if let current, current.isIntact, current.kind == .value, write.kind == .value {
      var known = current.content
      // A value in blocks was not read; its checksum tells whether it is the same.
      if known.madeOf != nil, known.blocks != nil, known.value == nil,
        let value = write.content.value,
        StoredRecord.checksum(of: value) == current.contentChecksum
      {
        known.join(value)
      }
      write.content.keepMadeOf(known)
    }
    return .stored(
      try store(write, over: old, epoch: number, mark: mark, now: now, connection))
  }

  /// The newest explicit mark that covers the answer to a request. It is an invalidation of the key, a prefix, a
  /// tag or the collection, or the record's own mark, if that is newer than the request.
  ///
  /// Cost: one look-up in an index that is empty except for marks set during requests.
  ///
  /// - Parameter madeHere: True leaves out the marks of the fleet.
  package func mark(
    over collection: String, _ key: String, tags: some Sequence<String>,
    standing: StoredRecord.Mark?, since number: Int64, madeHere: Bool = false,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord.Mark? {
    let standing = standing.flatMap { mark in
      mark.epoch > number && !(madeHere && Self.isOfFleet(mark.epoch)) ? mark : nil
    }
    let covering = try connection.withStatement(.youngerInvalidations) {
      (statement) throws(SQLiteError) -> StoredRecord.Mark? in
      try statement.bind(max(number, standing?.epoch ?? 0), at: 1)
      while try statement.step() {
        if madeHere, Self.isOfFleet(statement.int(3)) { continue }
        let scope = statement.int(0)
        let name = statement.bytes(2)
        if scope != Scope.tagNumber, scope != Scope.allNumber {
          guard statement.text(1).utf8.elementsEqual(collection.utf8) else { continue }
        }
        let isCovered =
          switch scope {
          case Scope.collectionNumber, Scope.allNumber: true
          case Scope.tagNumber: tags.contains { $0.utf8.elementsEqual(name) }
          case Scope.prefixNumber: key.utf8.starts(with: name)
          default: key.utf8.elementsEqual(name)
          }
        guard isCovered else { continue }
        return StoredRecord.Mark(
          at: statement.moment(4), reason: statement.text(5),
          epoch: statement.int(3))
      }
      return nil
    }
    return covering ?? standing
  }
}

extension SQL {
  fileprivate static let youngerInvalidations = SQL(
    """
    SELECT scope, collection, name, epoch, at, reason FROM invalidation
    WHERE epoch > ?1 ORDER BY epoch DESC
    """)
}
