extension Policy {
  /// The record, unless it counts as missing: it was fetched under other circumstances, such as with the credentials
  /// of another user (``acceptsVariant``). What is written here is neither made from it nor compared with it.
  func own(_ record: StoredRecord?) -> StoredRecord? {
    guard let record, !record.isPending, let acceptsVariant else { return record }
    return acceptsVariant(record.content.variant) ? record : nil
  }
}
