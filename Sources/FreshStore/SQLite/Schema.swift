/// The shape of the database file, as the list of steps that lead to it.
enum Schema {
  /// Marks a file as ours, at offset 68 of its header: "FrSt".
  static let applicationIdentifier: Int64 = 0x4672_5374

  /// The schema this code reads and writes.
  static var version: Int { migrations.count }

  /// Step *n* leads from `user_version` *n* to *n + 1*; all that a file lacks are taken in one transaction. A step is
  /// never changed once released.
  static let migrations: [StaticString] = [first, changeLog, lists, outbox]

  /// `state.sequence_check` is the complement of `sequence`: a changed bit in a number by which marks and
  /// answers are put in order would make marks void.
  ///
  /// `record.value` stays last: reading the other columns then touches no overflow page.
  ///
  /// The partial indexes hold only the rows their one user wants: `record_deadline` the rows a
  /// sweep may still mark, `record_queue` the rows that wait for a refetch.
  private static let first: StaticString = """
    CREATE TABLE state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      sequence INTEGER NOT NULL,
      sequence_check INTEGER NOT NULL,
      checked_boot INTEGER NOT NULL
    ) STRICT;
    INSERT INTO state VALUES (1, 0, -1, 0);

    CREATE TABLE record (
      id INTEGER PRIMARY KEY,
      collection TEXT NOT NULL,
      key TEXT NOT NULL,
      kind INTEGER NOT NULL CHECK (kind IN (0, 1, 2)),
      version INTEGER NOT NULL,
      epoch INTEGER NOT NULL,
      last_update INTEGER,
      expiry INTEGER CHECK (expiry >= -1),
      boot INTEGER,
      boot_stamp INTEGER,
      hard_end INTEGER,
      grace_revalidating INTEGER,
      grace_error INTEGER,
      must_revalidate INTEGER NOT NULL CHECK (must_revalidate IN (0, 1)),
      stale_at INTEGER,
      stale_reason TEXT,
      stale_epoch INTEGER,
      entity_tag TEXT,
      last_modified TEXT,
      source TEXT,
      content_type TEXT,
      codec TEXT NOT NULL,
      content_version INTEGER NOT NULL,
      variant TEXT,
      metadata TEXT,
      fetch_cost INTEGER,
      tagged INTEGER NOT NULL CHECK (tagged IN (0, 1)),
      size INTEGER NOT NULL,
      content_checksum INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      queue_at INTEGER,
      failures INTEGER NOT NULL DEFAULT 0,
      next_attempt INTEGER,
      failure TEXT,
      pending INTEGER NOT NULL DEFAULT 0,
      pinned INTEGER NOT NULL DEFAULT 0,
      pause_named INTEGER NOT NULL DEFAULT 0,
      value BLOB,
      UNIQUE (collection, key)
    ) STRICT;
    CREATE INDEX record_deadline ON record (last_update + expiry)
      WHERE stale_at IS NULL AND pending = 0 AND kind < 2 AND expiry >= 0;
    CREATE INDEX record_queue ON record (queue_at) WHERE queue_at IS NOT NULL;
    CREATE INDEX record_age ON record (last_update);

    CREATE TABLE record_tag (
      record INTEGER NOT NULL REFERENCES record (id),
      tag TEXT NOT NULL,
      PRIMARY KEY (record, tag)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX record_tag_by_tag ON record_tag (tag);

    CREATE TABLE invalidation (
      scope INTEGER NOT NULL CHECK (scope IN (0, 1, 2, 3)),
      collection TEXT NOT NULL,
      name BLOB NOT NULL,
      epoch INTEGER NOT NULL,
      at INTEGER NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (scope, collection, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX invalidation_order ON invalidation (epoch);

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
      pause_named INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    """

  /// What the observers of other stores have not read yet, and the stores that have observers.
  private static let changeLog: StaticString = """
    CREATE TABLE change (
      sequence INTEGER PRIMARY KEY,
      owner TEXT NOT NULL,
      kind TEXT NOT NULL,
      collection TEXT,
      key TEXT
    ) STRICT;

    CREATE TABLE observer (
      owner TEXT PRIMARY KEY,
      boot INTEGER NOT NULL,
      deadline INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// Lists of records that are kept in step with their source, and what is on them.
  private static let lists: StaticString = """
    CREATE TABLE list (
      id INTEGER PRIMARY KEY,
      collection TEXT NOT NULL,
      name TEXT NOT NULL,
      cursor TEXT,
      last_update INTEGER,
      due_at INTEGER,
      failures INTEGER NOT NULL,
      failure TEXT,
      checksum INTEGER NOT NULL,
      UNIQUE (collection, name)
    ) STRICT;

    CREATE TABLE list_member (
      list INTEGER NOT NULL REFERENCES list (id),
      key TEXT NOT NULL,
      PRIMARY KEY (list, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX list_member_by_key ON list_member (key);
    """
}
