internal import Synchronization

/// A running fetch, for the gets that its closure makes in turn.
///
/// A fetch that waits for itself would end only at its deadline. Therefore the get that would close the ring fails at
/// once. A get in a detached task of the closure is not seen.
final class NestedFetch: Sendable {
  @TaskLocal static var current: NestedFetch?

  /// Retained: another flight must not get its identity.
  private let flight: any AnyObject & Sendable
  private let store: ObjectIdentifier
  private let collection: String
  private let keys: Set<ExactName>
  /// The fetch whose closure began this one.
  private let outer: NestedFetch?

  init<Value>(of keys: [String], in collection: RecordCollection<Value>, by flight: Flight<Value>) {
    self.flight = flight
    store = ObjectIdentifier(collection.store)
    self.collection = collection.name
    self.keys = Set(names: keys)
    outer = Self.current
  }

  /// True when the running fetch, or a fetch that it is part of, fetches the key.
  static func isOf<Value>(_ key: String, in collection: RecordCollection<Value>) -> Bool {
    var fetch = current
    while let running = fetch {
      if running.store == ObjectIdentifier(collection.store),
        running.collection.hasSameBytes(as: collection.name),
        running.keys.contains(ExactName(key))
      {
        return true
      }
      fetch = running.outer
    }
    return false
  }

  // MARK: Waiting

  /// The flights that each flight waits for.
  private static let waits = Mutex<[ObjectIdentifier: [ObjectIdentifier]]>([:])

  /// Waits for a flight as part of the running fetch. Returns `nil` at once where that flight waits for this fetch.
  static func waiting<Result: Sendable>(
    for flight: AnyObject, _ wait: () async -> Result
  ) async -> Result? {
    guard let current else { return await wait() }
    let (own, other) = (ObjectIdentifier(current.flight), ObjectIdentifier(flight))
    let isFree = waits.withLock { waits in
      guard !leads(from: other, to: own, waits) else { return false }
      waits[own, default: []].append(other)
      return true
    }
    guard isFree else { return nil }
    let result = await wait()
    waits.withLock { waits in
      if let place = waits[own]?.firstIndex(of: other) {
        waits[own]?.remove(at: place)
      }
      if waits[own]?.isEmpty == true { waits[own] = nil }
    }
    return result
  }

  private static func leads(
    from start: ObjectIdentifier, to end: ObjectIdentifier,
    _ waits: [ObjectIdentifier: [ObjectIdentifier]]
  ) -> Bool {
    var (seen, next): (Set<ObjectIdentifier>, [ObjectIdentifier]) = ([], [start])
    while let flight = next.popLast() {
      if flight == end { return true }
      if seen.insert(flight).inserted { next += waits[flight] ?? [] }
    }
    return false
  }
}

extension FetchFailure {
  static let waitsForItself = FetchFailure(
    .thrown, "its own fetch has asked for it: it would wait for itself")
}
