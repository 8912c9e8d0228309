internal import Strategies

extension StoredRecord {
  /// The columns that ``init(row:extent:of:)`` reads, in its order; the table's name in the query is
  /// `r`.
  static let columns = columns(names: "r.collection, r.key")
  /// The same without the names, for who knows them.
  static let unnamedColumns = columns(names: "NULL, NULL")

  /// The size of a row's value for a sum: no value is larger (https://sqlite.org/limits.html), and what a
  /// damaged row says would be more than a sum can hold.
  static let boundedSize = "min(max(size, 0), 2147483647)"

  /// Whether the row of `record` is a local write's, by a flag that a changed bit may have set: the entry in
  /// the outbox is what counts.
  static let isPending = """
    CASE WHEN pending THEN EXISTS (SELECT 1 FROM outbox o
      WHERE o.collection = record.collection AND o.key = record.key) ELSE 0 END
    """

  /// How many bytes of the file a row takes: a page has room for some whole rows, what is longer goes on
  /// in pages of its own; the index of keys holds the names a second time, and a name that is too long
  /// for a page with others takes one (https://sqlite.org/fileformat2.html, section 1.6).
  static let footprint = """
    (SELECT iif(row > 4000, row, 4096 / (4000 / row))
        + iif(names > 990, 4600, (names + 20) * 5 / 4)
      FROM (SELECT \(boundedSize) + \(names) + length(CAST(\(details) AS BLOB)) + 90 AS row,
        \(names) AS names))
    """
  private static let names = "length(CAST(collection || key AS BLOB))"
  private static let details = [
    "stale_reason", "entity_tag", "last_modified", "source", "content_type", "variant", "metadata",
    "failure",
  ].map { "coalesce(\($0), '')" }.joined(separator: " || ")

  private static func columns(names: String) -> String {
    """
    r.id, \(names), r.kind, r.version, r.epoch, r.last_update, r.expiry, r.boot, r.boot_stamp, \
    r.hard_end, r.grace_revalidating, r.grace_error, r.must_revalidate, r.stale_at, \
    r.stale_reason, r.stale_epoch, r.entity_tag, r.last_modified, r.source, r.content_type, \
    r.codec, r.content_version, r.variant, r.metadata, r.fetch_cost, r.tagged, r.size, \
    r.content_checksum, r.checksum, r.failures, r.next_attempt, r.failure, r.pending, \
    r.pinned, r.pause_named
    """
  }

  /// The highest number of an invalidation that covers the row, 0 for none.
  static let coveringEpoch = """
    max(
      coalesce((SELECT i.epoch FROM invalidation i
        WHERE i.scope = 0 AND i.collection = r.collection AND i.name = x''), 0),
      coalesce((SELECT max(i.epoch) FROM invalidation i
        WHERE i.scope = 2 AND i.collection = r.collection
          AND substr(CAST(r.key AS BLOB), 1, length(i.name)) = i.name), 0),
      CASE WHEN r.tagged THEN
        coalesce((SELECT max(i.epoch) FROM record_tag t JOIN invalidation i
          ON i.scope = 1 AND i.collection = '' AND i.name = CAST(t.tag AS BLOB)
          WHERE t.record = r.id), 0)
      ELSE 0 END)
    """

  /// Which columns follow ``columns``.
  enum Extent {
    /// None: enough to judge and to list.
    case stamps
    /// ``coveringEpoch``.
    case judged
    /// ``coveringEpoch`` and the value.
    case whole
  }

  private static let firstExtra: Int32 = 36

  /// Reads the current row of `row`; with the value, its checksum is verified too.
  ///
  /// - Parameter names: The collection and the key, where the query does not say them.
  init(
    row: borrowing Statement, extent: Extent, of names: (collection: String, key: String)? = nil
  ) {
    var content = RecordContent(
      collection: names?.collection ?? row.text(1), key: names?.key ?? row.text(2),
      expiry: Expiry(stored: row.optionalInt(7)))
    content.lastUpdate = row.optionalInt(6).map(Timestamp.init(millisecondsSinceEpoch:))
    content.hardEnd = row.optionalInt(10).map { .milliseconds($0) }
    content.graceWhileRevalidating = row.optionalInt(11).map { .milliseconds($0) }
    content.graceOnError = row.optionalInt(12).map { .milliseconds($0) }
    content.mustRevalidate = row.bool(13)
    content.validators = Validators(
      entityTag: row.optionalText(17), lastModified: row.optionalText(18))
    content.source = row.optionalText(19)
    content.contentType = row.optionalText(20)
    content.codec = row.text(21)
    content.contentVersion = row.int(22)
    content.variant = row.optionalText(23)
    content.metadata = row.optionalText(24)
    content.fetchCost = row.optionalInt(25)
    content.size = min(max(row.int(27), 0), 2_147_483_647)
    self.init(content: content, kind: Kind(rawValue: row.int(3)) ?? .unfetched, row: row)
    if extent != .stamps { coveringEpoch = row.int(Self.firstExtra) }
    if extent == .whole, !row.isNull(Self.firstExtra + 1) {
      self.content.value = row.bytes(Self.firstExtra + 1)
    }
    checksum = row.int(29)
    isIntact = rowChecksum == checksum
    if extent == .whole, kind == .value {
      isIntact = isIntact && Self.checksum(of: self.content.value) == contentChecksum
    }
  }

  private init(content: RecordContent, kind: Kind, row: borrowing Statement) {
    self.content = content
    self.kind = kind
    self.row = row.int(0)
    version = row.int(4)
    epoch = row.int(5)
    boot = row.optionalInt(8)
    bootStamp = row.optionalInt(9)
    mark = row.optionalInt(14).map {
      Mark(at: Timestamp(millisecondsSinceEpoch: $0), reason: row.text(15), epoch: row.int(16))
    }
    isTagged = row.bool(26)
    contentChecksum = row.int(28)
    failures = row.int(30)
    nextAttempt = row.optionalInt(31).map(Timestamp.init(millisecondsSinceEpoch:))
    failure = row.optionalText(32)
    isPending = row.bool(33)
    isPinned = row.bool(34)
    isPauseNamed = row.bool(35)
  }
}
