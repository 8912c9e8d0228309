import FreshStore
import Strategies

/// The expected contents of a store, in a dictionary: the simplest thing that could be right.
struct Oracle {
  struct Entry: Equatable {
    /// `nil` when the source said that the object does not exist.
    var value: String?
    /// The moment from which it is stale; `nil` for never.
    var deadline: Timestamp?
    var isMarked = false
    var tags: Set<String> = []
  }

  var entries: [String: Entry] = [:]
  var isOffline = false

  /// The expected result of a read.
  func outcome(_ key: String, at now: Timestamp) -> Decision.Outcome {
    guard let entry = entries[key] else { return .missing }
    let isFresh = !entry.isMarked && entry.deadline.map { now < $0 } ?? true
    if entry.value == nil { return isFresh || isOffline ? .absent : .missing }
    return isFresh ? .fresh : isOffline ? .offline : .stale
  }

  /// Stores a value or its absence; `tags` of `nil` keep the old ones.
  mutating func store(_ key: String, _ value: String?, _ deadline: Timestamp?, _ tags: Set<String>?)
  {
    entries[key] = Entry(
      value: value, deadline: deadline, tags: tags ?? entries[key]?.tags ?? [])
  }

  /// Marks the records that satisfy the condition.
  mutating func mark(where covers: (String, Entry) -> Bool) {
    for (key, entry) in entries where covers(key, entry) { entries[key]?.isMarked = true }
  }
}
