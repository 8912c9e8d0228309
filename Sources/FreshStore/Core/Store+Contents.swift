extension Store {
  /// One block of a value that lies in blocks; `nil` when it is gone, or damaged. It blocks the thread for a read from
  /// the file.
  package func block(
    _ number: Int, of reference: ContentReference
  ) throws(StoreError) -> [UInt8]? {
    try storage.block(number, of: reference)
  }
}
