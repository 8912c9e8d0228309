internal import FreshStore

/// What is to be done to a copy of a store before it is one.
extension Storage {
  /// Ends the leases, the claims and the lists of observers: whoever holds them holds them in the
  /// file that was copied, and nobody in the copy waits for them.
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
