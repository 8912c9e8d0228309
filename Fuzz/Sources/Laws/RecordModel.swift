/// The required contents of a collection: a dictionary, against which the store is checked.
struct RecordModel {
  struct Entry: Equatable {
    var value: [UInt8]
    var tag: String?
    var isMarked = false
  }

  /// By the bytes of the key: two forms of one text are two keys.
  private(set) var entries: [[UInt8]: Entry] = [:]

  /// In the order of a listing.
  var keys: [[UInt8]] { entries.keys.sorted { $0.lexicographicallyPrecedes($1) } }

  mutating func put(_ value: [UInt8], for key: String, tag: String?) {
    let key = Array(key.utf8)
    entries[key] = Entry(value: value, tag: tag ?? entries[key]?.tag)
  }

  /// True when it was there.
  mutating func remove(_ key: String) -> Bool {
    entries.removeValue(forKey: Array(key.utf8)) != nil
  }

  mutating func removeAll() {
    entries = [:]
  }

  mutating func mark(where isMeant: (_ key: [UInt8], _ entry: Entry) -> Bool) {
    for (key, entry) in entries where isMeant(key, entry) { entries[key]?.isMarked = true }
  }
}
