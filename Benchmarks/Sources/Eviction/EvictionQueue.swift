/// The queue that an entry is in. The raw value is the index of the queue's sentinel node.
enum EvictionQueue: Int, CaseIterable {
  /// Newcomers, until they have proved themselves or leave.
  case small
  /// Entries that were requested again, while new or while remembered.
  case main
}
