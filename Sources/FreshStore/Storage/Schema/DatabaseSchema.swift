/// The shape of the database file, as the list of migrations that build it.
package enum DatabaseSchema {
  /// Marks a file as ours, at offset 68 of its header: "FrS1".
  package static let applicationIdentifier: Int64 = 0x4672_5331
  /// Marks a file from before the first version of this schema: "FrSt". Nothing of it is read.
  package static let formerIdentifier: Int64 = 0x4672_5374

  /// The reason why a file with that mark, which is not ours, is refused.
  package static func refusal(of identifier: Int64) -> StoreError.Code {
    identifier == formerIdentifier ? .formerFormat : .foreignDatabase
  }

  /// The schema this code reads and writes.
  package static var version: Int { migrations.count }

  /// Step *n* leads from `user_version` *n* to *n + 1*; all missing steps run in one transaction. A
  /// step is never changed once released.
  static let migrations: [String] = [
    [state, record, contents, marks, sources, changeLog, lists, outbox, fleet].joined(
      separator: "\n")
  ]

  /// The columns and tables of the state:
  /// - `state.sequence_check` is the complement of `sequence`: a changed bit in a number that orders marks and
  ///   answers would void marks.
  /// - `wiped` is the number of the last wipe. Answers to requests from before it are not stored.
  /// - `released` is the number of the last wipe, or of the last end of holds on origins by request. A request from
  ///   before it holds no origin.
  /// - `clock` holds the last known state of the wall clock.
  private static let state = """
    CREATE TABLE state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      sequence INTEGER NOT NULL,
      sequence_check INTEGER NOT NULL,
      checked_boot INTEGER NOT NULL,
      wiped INTEGER NOT NULL,
      released INTEGER NOT NULL
    ) STRICT;
    INSERT INTO state VALUES (1, 0, -1, 0, 0, 0);

    CREATE TABLE clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      boot INTEGER NOT NULL,
      origin INTEGER NOT NULL,
      wall INTEGER NOT NULL
    ) STRICT;
    """

  /// `sweep_at` is the time at which a sweep must examine a row, and never later than its deadline. A put that
  /// extends the deadline does not change it, nor the index. The sweep moves it when it finds it too early.
  ///
  /// `queue_at` is the place of a row that waits for a refetch. `content` is the number of a value in blocks. All three
  /// indexes hold only the rows that their one user needs.
  private static let record = """
    CREATE TABLE record (
      id INTEGER PRIMARY KEY,
      \(columns),
      queue_at INTEGER,
      sweep_at INTEGER,
      value BLOB,
      UNIQUE (collection, key)
    ) STRICT;
    CREATE INDEX record_sweep ON record (sweep_at) WHERE sweep_at IS NOT NULL;
    CREATE INDEX record_queue ON record (queue_at) WHERE queue_at IS NOT NULL;
    CREATE INDEX record_content ON record (content) WHERE content IS NOT NULL;

    CREATE TABLE failure (
      record INTEGER PRIMARY KEY,
      failures INTEGER NOT NULL,
      next_attempt INTEGER,
      pause_named INTEGER NOT NULL,
      message TEXT
    ) STRICT;

    CREATE TABLE record_tag (
      record INTEGER NOT NULL REFERENCES record (id),
      tag TEXT NOT NULL,
      PRIMARY KEY (record, tag)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX record_tag_by_tag ON record_tag (tag);
    """

  private static let columns = RecordColumns.all.definition

  /// Values that are longer than a block (``ContentReference``), in blocks of that size. The row of a block is the
  /// number of its value, 20 bits further up, and its own. The table has rows, and no keys beside them: reading a
  /// block, from any place in its value, costs one look-up.
  ///
  /// Only the rows of records and bases, whose checksums cover `content`, say which values are wanted. The columns:
  /// - `content.record` only helps a record to find the values that it gives up: it is the row that has, or had,
  ///   the value.
  /// - `arrives_by` is the time at which an arriving value is given up, unless more of it comes; `NULL` for all
  ///   others.
  /// - `goes_at` is the time from which the blocks of a value without an owner may be removed; `NULL` for all
  ///   others.
  /// - `streams` is 1 where the value may be, or have been, read outside of a snapshot, as a gateway reads it. Only
  ///   then `goes_at` leaves the readers time.
  /// - `size` is the bytes of the blocks that are here, and `size_check` its complement. Where they disagree, the
  ///   blocks are measured (``StoredRecord/sizeOfContent``).
  private static let contents = """
    CREATE TABLE content (
      id INTEGER PRIMARY KEY,
      record INTEGER,
      size INTEGER NOT NULL,
      size_check INTEGER NOT NULL,
      streams INTEGER NOT NULL CHECK (streams IN (0, 1)),
      arrives_by INTEGER,
      goes_at INTEGER
    ) STRICT;
    CREATE INDEX content_record ON content (record) WHERE goes_at IS NULL;
    CREATE INDEX content_arriving ON content (arrives_by) WHERE arrives_by IS NOT NULL;
    CREATE INDEX content_left ON content (goes_at) WHERE goes_at IS NOT NULL;

    CREATE TABLE content_block (
      place INTEGER PRIMARY KEY,
      checksum INTEGER NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;
    """

  private static let marks = """
    CREATE TABLE invalidation (
      scope INTEGER NOT NULL CHECK (scope IN (0, 1, 2, 3, 4, 5)),
      collection TEXT NOT NULL,
      name BLOB NOT NULL,
      epoch INTEGER NOT NULL,
      at INTEGER NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (scope, collection, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX invalidation_order ON invalidation (epoch);
    """

  /// `origin.hold` is the reason why an origin is not asked until an application says so; `NULL` for none.
  private static let sources = """
    CREATE TABLE lease (
      collection TEXT NOT NULL,
      key TEXT NOT NULL,
      owner TEXT NOT NULL,
      fence INTEGER NOT NULL,
      boot INTEGER NOT NULL,
      deadline INTEGER NOT NULL,
      PRIMARY KEY (collection, key)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE origin (
      name TEXT PRIMARY KEY,
      failures INTEGER NOT NULL,
      open_until INTEGER NOT NULL,
      failure TEXT NOT NULL,
      pause_named INTEGER NOT NULL DEFAULT 0,
      hold TEXT
    ) STRICT, WITHOUT ROWID;
    """

  /// Changes that the observers of other stores have not read yet, and the stores that have observers.
  ///
  /// `change.ended` is the origin whose pauses have ended, the empty text for all, and `NULL` for none.
  private static let changeLog = """
    CREATE TABLE change (
      sequence INTEGER PRIMARY KEY,
      owner TEXT NOT NULL,
      kind TEXT NOT NULL,
      collection TEXT,
      key TEXT,
      write INTEGER,
      until INTEGER,
      reason TEXT,
      ended TEXT
    ) STRICT;

    CREATE TABLE observer (
      owner TEXT PRIMARY KEY,
      boot INTEGER NOT NULL,
      deadline INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// Lists of records that are synchronized with their source, and their members.
  ///
  /// `asked` and `answered` are numbers of the sequence: the request for the state at the cursor, and the moment at
  /// which its answer was stored.
  ///
  /// Four columns belong to a running walk through pages:
  /// - `page` is the token of the next page.
  /// - `walk` is the number of the first page's request, negative in a walk through changes, 0 without a walk.
  /// - `walk_at` is the time of that request, `NULL` if a member was removed here since.
  /// - `walk_cursor` is the cursor that came with the first page.
  ///
  /// `list_member.seen` is the number of the walk's request that last brought the member. No list vouches for a
  /// copy with the number `doubt`, or an older copy.
  ///
  /// `former_member` holds the keys that have left a list while something kept their records.
  private static let lists = """
    CREATE TABLE list (
      id INTEGER PRIMARY KEY,
      collection TEXT NOT NULL,
      name TEXT NOT NULL,
      cursor TEXT,
      last_update INTEGER,
      due_at INTEGER,
      failures INTEGER NOT NULL,
      failure TEXT,
      content_version INTEGER NOT NULL,
      asked INTEGER NOT NULL,
      answered INTEGER NOT NULL,
      page TEXT,
      walk INTEGER NOT NULL,
      walk_at INTEGER,
      walk_cursor TEXT,
      checksum INTEGER NOT NULL,
      UNIQUE (collection, name)
    ) STRICT;

    CREATE TABLE list_member (
      list INTEGER NOT NULL REFERENCES list (id),
      key TEXT NOT NULL,
      seen INTEGER,
      doubt INTEGER,
      PRIMARY KEY (list, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX list_member_by_key ON list_member (key);

    CREATE TABLE former_member (
      list INTEGER NOT NULL REFERENCES list (id),
      key TEXT NOT NULL,
      PRIMARY KEY (list, key)
    ) STRICT, WITHOUT ROWID;
    """

  /// Local writes. `base` holds the known state of their sources, with the columns of `record` and its tags.
  /// `salvage` names the damaged files whose local writes were recovered.
  ///
  /// `outbox.tries` counts the attempts since a caller has last asked for the write to be sent; `outbox.tried_at`
  /// is the time of the first of them.
  ///
  /// `outbox.due_at` is the moment since which the write is due: when it was written or last tried, or the end of
  /// its pause. It orders the writes of one priority. `outbox.suspect` is 1 for a write that may be the cause why a
  /// whole request was refused.
  ///
  /// `outbox.merged` has the numbers of the writes that it has replaced after a conflict, each between commas. A
  /// caller that knows such a number may still name it.
  ///
  /// `outbox.patch` and `outbox.payload` stay last, as `record.value` does.
  private static let outbox = """
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      collection TEXT NOT NULL,
      key TEXT NOT NULL,
      kind INTEGER NOT NULL CHECK (kind IN (0, 1, 2, 3)),
      idempotency_key TEXT NOT NULL,
      written_at INTEGER NOT NULL,
      patch_type TEXT,
      content_type TEXT,
      codec TEXT NOT NULL,
      content_version INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      conflicts INTEGER NOT NULL DEFAULT 0,
      next_attempt INTEGER,
      failure TEXT,
      parked INTEGER NOT NULL DEFAULT 0,
      owner TEXT,
      fence INTEGER,
      boot INTEGER,
      deadline INTEGER,
      asked INTEGER,
      asked_at INTEGER,
      checksum INTEGER NOT NULL,
      address TEXT,
      tags TEXT,
      priority INTEGER NOT NULL DEFAULT 0,
      after INTEGER,
      basis BLOB,
      pause_named INTEGER NOT NULL DEFAULT 0,
      refusal BLOB,
      tries INTEGER NOT NULL DEFAULT 0,
      tried_at INTEGER,
      due_at INTEGER NOT NULL,
      suspect INTEGER NOT NULL DEFAULT 0,
      merged TEXT,
      patch BLOB,
      payload BLOB
    ) STRICT;
    CREATE INDEX outbox_order ON outbox (collection, key, id);
    CREATE INDEX outbox_owner ON outbox (owner) WHERE owner IS NOT NULL;
    CREATE INDEX outbox_after ON outbox (after) WHERE after IS NOT NULL;
    CREATE INDEX outbox_merged ON outbox (merged) WHERE merged IS NOT NULL;

    CREATE TABLE base (
      id INTEGER PRIMARY KEY,
      \(columns),
      tags TEXT NOT NULL,
      value BLOB,
      UNIQUE (collection, key)
    ) STRICT;
    CREATE INDEX base_content ON base (content) WHERE content IS NOT NULL;

    CREATE TABLE salvage (
      file TEXT PRIMARY KEY,
      writes INTEGER NOT NULL,
      lost INTEGER
    ) STRICT, WITHOUT ROWID;
    """

  /// `fleet_state` holds the newest mark of the fleet that is applied here, with the fleet's generation.
  /// `fleet_mark` holds marks that were made while the tier was out of reach, to be delivered later.
  ///
  /// `last_contact` is the time of the last answer from the shared tier, or of the last silence that was too long.
  /// `boot` and `since_boot` are the same moment on the clock of the boot. The scopes are the scopes of
  /// `invalidation`.
  ///
  /// The columns of a mark:
  /// - `fleet_mark.id` is never given away again, so that a delivery that ends late forgets no other mark.
  /// - `refusal` is the reason why the tier never takes the mark.
  /// - `lost` is the number of this host's place in a journal whose history was lost: one host makes a mark for all
  ///   then. It is `NULL` for other marks.
  /// - `tier` is the place of the tier for which the mark was made, without secrets; `NULL` for a mark for any
  ///   tier.
  private static let fleet = """
    CREATE TABLE fleet_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      number INTEGER NOT NULL,
      token INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      last_contact INTEGER NOT NULL,
      boot INTEGER NOT NULL,
      since_boot INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE fleet_mark (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      scope INTEGER NOT NULL,
      collection TEXT NOT NULL,
      name TEXT NOT NULL,
      reason TEXT NOT NULL,
      refusal TEXT,
      lost INTEGER,
      tier TEXT
    ) STRICT;
    """
}
