extension Schema {
  /// Local writes, and what the source is known to hold of the records that have some.
  ///
  /// `shadow` has the columns of `record`, so that a row goes from one to the other as it is.
  /// `outbox.patch` and `outbox.payload` stay last, as `record.value` does; `clock` holds what was last
  /// known of the wall clock, and `salvage` names the damaged files whose local writes were taken over.
  static let outbox: StaticString = """
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
      source TEXT,
      tags TEXT,
      patch BLOB,
      payload BLOB
    ) STRICT;
    CREATE INDEX outbox_order ON outbox (collection, key, id);
    CREATE INDEX outbox_owner ON outbox (owner) WHERE owner IS NOT NULL;

    CREATE TABLE shadow (
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

    CREATE TABLE shadow_tag (
      collection TEXT NOT NULL,
      key TEXT NOT NULL,
      tag TEXT NOT NULL,
      PRIMARY KEY (collection, key, tag)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX record_attempt ON record (next_attempt) WHERE next_attempt IS NOT NULL;

    CREATE TABLE clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      boot INTEGER NOT NULL,
      origin INTEGER NOT NULL,
      wall INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE salvage (
      file TEXT PRIMARY KEY,
      writes INTEGER NOT NULL,
      lost INTEGER
    ) STRICT, WITHOUT ROWID;
    """
}
