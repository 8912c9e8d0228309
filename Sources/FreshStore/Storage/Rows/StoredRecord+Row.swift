internal import Strategies

extension StoredRecord {
  /// The columns that ``init(row:extent:of:)`` reads, in its order, of a row of ``table``.
  package static let columns = columns(
    RecordColumns.all.names,
    failure: "f.failures, f.next_attempt, f.message, f.pause_named",
    size: size)
  /// The same without the columns of other tables, for a file in which they may be unreadable.
  static let columnsOfRow = columns(
    RecordColumns.all.names, failure: "NULL, NULL, NULL, NULL", size: "NULL")
  /// The same for a row of `record` or `base` that is read with its value. The caller knows the names, and queries
  /// failures only if there are some. The size is the size of a value in blocks.
  static let plainColumns = columns(
    ["NULL", "NULL"] + RecordColumns.all.names.dropFirst(2), failure: "NULL, NULL, NULL, NULL",
    size: "iif(r.content IS NULL, NULL, \(blocks("r")))")
  /// The table of a query of ``columns``.
  package static let table = "record r \(failures)"
  /// The same, to follow an index hint.
  static let failures =
    "LEFT JOIN failure f ON f.record = r.id AND r.flags & \(RecordFlags.failing) <> 0"

  private static func columns(_ names: [String], failure: String, size: String) -> String {
    let columns = names.map { $0 == "NULL" ? $0 : "r.\($0)" }.joined(separator: ", ")
    return "r.id, \(columns), \(failure), \(size)"
  }

  /// The size from which the value of a local write is only in its entry in the outbox, so that the disk holds it
  /// once.
  static let largeValue = 64 << 10

  /// The value of a row of `record r`.
  package static let value = "coalesce(r.value, " + written("o.payload", of: "r") + ")"
  /// Its bytes.
  static let size = bytes("r")
  /// The same of a row of `record`.
  static let sizeOfRow = bytes("record")

  private static func bytes(_ table: String) -> String {
    "coalesce(length(\(table).value), " + blocks(table) + ", "
      + written("length(o.payload)", of: table) + ", 0)"
  }

  private static func blocks(_ table: String) -> String {
    "(SELECT \(sizeOfContent) FROM content c WHERE c.id = \(table).content)"
  }

  /// The bytes of a row of `content c`. A length that has changed on the disk is not believed: a removal of values
  /// by their bytes would remove too many, or too few.
  static let sizeOfContent = "iif(c.size = ~c.size_check, c.size, \(bytesOfBlocks))"
  /// The same as the blocks say. Cost: reads the head of each.
  package static let bytesOfBlocks = """
    (SELECT coalesce(sum(length(b.bytes)), 0) FROM content_block b
      WHERE b.place >= c.id << 20 AND b.place < (c.id + 1) << 20)
    """

  private static func written(_ column: String, of table: String) -> String {
    """
    CASE WHEN \(table).flags & \(RecordFlags.pending) THEN
      (SELECT \(column) FROM outbox o
        WHERE o.collection = \(table).collection AND o.key = \(table).key
        ORDER BY o.id DESC LIMIT 1)
    END
    """
  }

  /// Whether the row of `record` is a local write's: the entry in the outbox decides, as the flag
  /// may have been damaged on the disk.
  static let isPending = """
    EXISTS (SELECT 1 FROM outbox o WHERE o.collection = record.collection AND o.key = record.key)
    """

  /// The end of the pause of a row of `record`; in the distant past where it has none.
  package static let endOfPause = """
    coalesce((SELECT next_attempt FROM failure WHERE failure.record = record.id
      AND \(RecordFlags.isFailing)), -9223372036854775808)
    """

  /// The bytes of the file that a row of `record` takes, with a value that is only in the outbox.
  ///
  /// A page has room for some whole rows; a longer row continues on pages of its own. The index of keys holds the
  /// names a second time. A name that is too long to share a page takes one (https://sqlite.org/fileformat2.html,
  /// section 1.6).
  static let footprint = """
    (SELECT iif(row > 4000, row, 4096 / (4000 / row))
        + iif(names > 990, 4600, (names + 20) * 5 / 4)
      FROM (SELECT coalesce(length(details), 0) + \(names)
          + coalesce(length(stale_reason), 0) + 70
          + \(sizeOfRow) AS row,
        \(names) AS names))
    """
  private static let names = "length(CAST(collection || key AS BLOB))"

  /// The highest number of an invalidation that covers the row, 0 for none.
  package static let coveringEpoch = """
    max(
      coalesce((SELECT i.epoch FROM invalidation i
        WHERE i.scope = 0 AND i.collection = r.collection AND i.name = x''), 0),
      coalesce((SELECT i.epoch FROM invalidation i
        WHERE i.scope = 5 AND i.collection = '' AND i.name = x''), 0),
      coalesce((SELECT max(i.epoch) FROM invalidation i
        WHERE i.scope = 2 AND i.collection = r.collection
          AND substr(CAST(r.key AS BLOB), 1, length(i.name)) = i.name), 0),
      CASE WHEN r.\(RecordFlags.isTagged) THEN
        coalesce((SELECT max(i.epoch) FROM record_tag t JOIN invalidation i
          ON i.scope = 1 AND i.collection = '' AND i.name = CAST(t.tag AS BLOB)
          WHERE t.record = r.id), 0)
      ELSE 0 END)
    """

  /// The columns that follow ``columns``.
  package enum Extent {
    /// None: enough to judge and to list.
    case stamps
    /// ``coveringEpoch``.
    case judged
    /// ``coveringEpoch`` and the value.
    case whole
  }

  private static let firstOfFailure = Int32(RecordColumns.all.names.count) + 1

  /// The column after the columns of ``Extent/judged``.
  static let firstAfterJudged = firstOfFailure + 6

  /// Reads the current row of `row`; with the value, its checksum is verified too. A value that lies in blocks is not
  /// read.
  ///
  /// - Parameter names: The collection and the key, where the query does not return them.
  package init(
    row: borrowing Statement, extent: Extent, of names: (collection: String, key: String)? = nil
  ) {
    let content = RecordContent(
      collection: names?.collection ?? "", key: names?.key ?? "", expiry: .unstated)
    self.init(content: content, kind: .value, epoch: 0)
    self.row = row.int(0)
    var reader = RecordReader(row: row.row, column: 1)
    visit(&reader)
    isIntact = rowChecksum == checksum
    if isFailing { readFailure(row, at: Self.firstOfFailure) }
    let size = Self.firstOfFailure + 4
    if let bytes = row.optionalInt(size) { self.content.size = bytes }
    if extent != .stamps { coveringEpoch = row.int(size + 1) }
    if var blocks = self.content.blocks {
      (blocks.size, blocks.checksum) = (self.content.size, contentChecksum)
      // Their bytes are read, and judged, by ``Connection/join(_:)``, or one by one.
      self.content.place(in: blocks)
      return
    }
    guard extent == .whole else { return }
    if !row.isNull(size + 2) { self.content.value = row.bytes(size + 2) }
    if kind == .value {
      isIntact = isIntact && Self.checksum(of: self.content.value) == contentChecksum
    }
  }

  /// Reads the record of failed fetches: their number, the next attempt, the last message, and
  /// whether the source named the moment.
  mutating func readFailure(_ row: borrowing Statement, at column: Int32) {
    failures = row.int(column)
    nextAttempt = row.optionalMoment(column + 1)
    failure = row.optionalText(column + 2)
    isPauseNamed = row.bool(column + 3)
  }
}

/// The bits of a record's column `flags`; none is set in the row of a plain value.
package enum RecordFlags {
  static let kind: Int64 = 3
  static let mustRevalidate: Int64 = 1 << 2
  package static let pending: Int64 = 1 << 3
  static let failing: Int64 = 1 << 4
  static let pinned: Int64 = 1 << 5
  static let tagged: Int64 = 1 << 6

  static let known: Int64 = 1 << 7 - 1

  /// If one of them is set, the row must be read before another replaces it.
  static let standing = pending | failing | pinned | tagged
}

/// The same as conditions on a row, for statements.
extension RecordFlags {
  /// A value, or its absence; no mere note of failures.
  package static let isAnswer = "flags & \(kind) < 2"
  static let isValue = "flags & \(kind) = 0"
  static let isAbsence = "flags & \(kind) = 1"
  static let isFailing = "flags & \(failing) <> 0"
  package static let isPinned = "flags & \(pinned) <> 0"
  package static let isTagged = "flags & \(tagged) <> 0"
  package static let isNotPending = "flags & \(pending) = 0"
  static let isPlain = "flags & \(standing) = 0"
}

extension StoredRecord {
  var flags: Int64 {
    get {
      kind.rawValue | (content.mustRevalidate ? RecordFlags.mustRevalidate : 0)
        | (isPending ? RecordFlags.pending : 0) | (isFailing ? RecordFlags.failing : 0)
        | (isPinned ? RecordFlags.pinned : 0) | (isTagged ? RecordFlags.tagged : 0) | unknownFlags
    }
    set {
      kind = Kind(rawValue: newValue & RecordFlags.kind) ?? .unfetched
      content.mustRevalidate = newValue & RecordFlags.mustRevalidate != 0
      isPending = newValue & RecordFlags.pending != 0
      isFailing = newValue & RecordFlags.failing != 0
      isPinned = newValue & RecordFlags.pinned != 0
      isTagged = newValue & RecordFlags.tagged != 0
      unknownFlags = newValue & ~RecordFlags.known
    }
  }
}

/// The moments of ``StoredRecord/deadline`` and ``StoredRecord/sweepPlace``, for statements.
extension StoredRecord {
  static let deadlineOfRow = "iif(expiry >= 0, last_update + expiry, NULL)"
  package static let sweepPlaceOfRow = """
    iif(stale_at IS NULL AND \(RecordFlags.isNotPending) AND \(RecordFlags.isAnswer),
      \(deadlineOfRow), NULL)
    """
}

extension Statement {
  /// A column with a moment of the wall clock, in milliseconds since 1970.
  borrowing func moment(_ column: Int32) -> Timestamp {
    Timestamp(millisecondsSinceEpoch: int(column))
  }

  borrowing func optionalMoment(_ column: Int32) -> Timestamp? {
    optionalInt(column).map(Timestamp.init(millisecondsSinceEpoch:))
  }
}
