extension Store {
  /// Marks every record with the tag stale, in all collections.
  ///
  /// Durable when it returns, visible to every process at its next read, and at the same cost
  /// however many records have the tag. The result of a running fetch is stale, too.
  ///
  /// In a fleet it is durable in the shared tier, and marks on this host, when it returns; the other hosts apply it
  /// as soon as they hear of it, and before anything that they get from the tier.
  ///
  /// - Throws: The error of the file; in a fleet `sharedTier` where the mark could not be made: nothing is marked,
  ///   unless that error is uncertain. With ``FleetOptions/OutOfReach/keepMarks`` it marks here instead,
  ///   and is delivered later, unless the store was wiped meanwhile: then it throws `wiped`.
  public func markStale(tag: String, reason: String = "marked by tag") async throws(StoreError) {
    guard !tag.isEmpty else {
      throw StoreError(.invalidArgument("a tag must not be empty"), .markStale, path: path)
    }
    try await mark(.tag(tag), reason: reason, collection: nil) { _ in true }
  }

  /// Marks every record of a collection stale; as ``markStale(tag:reason:)``.
  public func markStale(
    collection: String, reason: String = "marked by collection"
  ) async throws(StoreError) {
    try await mark(.collection(collection), reason: reason, collection: collection) { _ in true }
  }

  /// Marks, closes the flights that are now outdated, and notifies the observers.
  @discardableResult
  func mark(
    _ scope: Storage.Scope, reason: String, collection: String?, key: String? = nil,
    flights matches: @Sendable (String) -> Bool
  ) async throws(StoreError) -> Bool {
    let (way, found) = try await mark([scope], reason: reason)
    closeFlights(collection, where: matches)
    return way == .applied || way == .ahead || found == [true]
  }

  /// Marks records, 1,000 in a transaction; returns how many there were.
  func mark(
    _ keys: Set<ExactName>, of collection: String, reason: String
  ) async throws(StoreError) -> Int {
    var (left, marked) = (Array(keys)[...], 0)
    while !left.isEmpty {
      let next = left.prefix(1000)
      left = left.dropFirst(next.count)
      let (way, found) = try await mark(
        next.map { .key(collection, $0.text) }, reason: reason)
      closeFlights(collection) { keys.contains(ExactName($0)) }
      let isOfAll = way == .applied || way == .ahead
      marked += isOfAll ? next.count : found.count(where: \.self)
    }
    return marked
  }

  /// Marks in the fleet, if there is one, and here; returns which of them there were here, and none where the fleet has
  /// applied them.
  private func mark(
    _ scopes: [Storage.Scope], reason: String
  ) async throws(StoreError) -> (way: WayOfMark, found: [Bool]) {
    let now = now()
    let begun = isOfFleet ? numberOfRequest() : nil
    let way = try await wayOfMark(scopes, reason: reason)
    guard way != .applied else { return (way, []) }
    let tier = fleet?.tier.address
    let found = try await queue.run { [storage] () throws(StoreError) -> [Bool] in
      switch way {
      case .ahead: try storage.markAhead(scopes, reason: reason, begun: begun, now: now)
      case .kept:
        try storage.markAndKeep(scopes, reason: reason, for: tier, begun: begun, now: now)
      case .here, .applied: try storage.mark(scopes, reason: reason, now: now)
      }
    }
    return (way, found)
  }

  /// What is left to be done here for a mark.
  private enum WayOfMark: Sendable {
    /// Nothing: it came with the news of the fleet.
    case applied
    /// The fleet has it; here it is made before others that are still to be applied.
    case ahead
    /// The fleet does not have it yet.
    case kept
    /// There is no fleet.
    case here
  }

  /// Marks in the fleet, if there is one.
  private func wayOfMark(
    _ scopes: [Storage.Scope], reason: String
  ) async throws(StoreError) -> WayOfMark {
    guard let fleet else { return .here }
    do throws(StoreError) {
      if try await mark(scopes.map(SharedMark.Scope.init), because: reason, in: fleet) {
        return .applied
      }
      catchUpSoon(with: fleet)
      return .ahead
    } catch {
      // What the tier refuses for good must not be kept for it.
      guard let failure = error.sharedTierFailure, failure.code != .invalidArgument,
        fleet.options.outOfReach == .keepMarks
      else { throw error }
      return .kept
    }
  }
}
