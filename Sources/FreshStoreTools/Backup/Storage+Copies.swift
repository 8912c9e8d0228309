internal import FreshStore

/// Prepares a copy of a store for use as a store.
extension Storage {
  /// Ends the leases, the claims and the registrations of observers: their holders use the original
  /// file, and nothing in the copy waits for them.
  static func releaseAll(_ connection: borrowing Connection) throws(SQLiteError) {
    try connection.executeScript(
      """
      DELETE FROM lease;
      DELETE FROM observer;
      DELETE FROM change;
      UPDATE outbox SET owner = NULL, fence = NULL, boot = NULL, deadline = NULL
        WHERE owner IS NOT NULL;
      """)
  }
}
