/// The moments of ``StoredRecord/deadline`` and ``StoredRecord/sweepPlace``, for statements.
extension StoredRecord {
  static let deadlineOfRow = "iif(expiry >= 0, last_update + expiry, NULL)"
  package static let sweepPlaceOfRow = """
    iif(stale_at IS NULL AND \(RecordFlags.isNotPending) AND \(RecordFlags.isAnswer),
      \(deadlineOfRow), NULL)
    """
}
