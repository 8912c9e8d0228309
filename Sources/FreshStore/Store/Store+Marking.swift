internal import Strategies

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

extension Store {
  /// Takes in the marks that the host has missed, and delivers those that were kept for the fleet.
  ///
  /// An open store does so by itself, from its beginning on and whenever the shared tier tells of news. A program that
  /// reads once and ends calls this first: until then the file holds what some process of the host took in last. Does
  /// nothing for a host alone.
  ///
  /// Cost: one round trip, and a write where there are marks, or once a minute.
  ///
  /// - Throws: `sharedTier` where the shared tier does not answer, or takes no marks, although what the host has missed is
  ///   applied then; if it has not answered for ``FleetOptions/longestAlone``, everything fetched before is stale by
  ///   then. Or the error of the file.
  public func takeInFleetMarks() async throws(StoreError) {
    guard let fleet else { return }
    do throws(StoreError) {
      try await synchronize(with: fleet)
    } catch {
      if error.sharedTierFailure != nil, let limit = fleet.options.longestAlone {
        _ = await watchSilence(limit)
      }
      throw error
    }
  }

  /// The host's place in the order of its fleet's marks; `nil` before the first news. Also of a store that only
  /// reads, and without the fleet. Cost: one SELECT.
  package func fleetPlace() throws(StoreError) -> FleetPlace? { try storage.fleetPlace() }

  /// The standing of this host; `nil` for one that belongs to no fleet. It asks nobody. Cost: two SELECTs.
  package func fleetStanding() throws(StoreError) -> FleetStanding? {
    guard let fleet else { return nil }
    let counts = try storage.countMarksForFleet()
    return FleetStanding(
      obstacle: fleet.obstacle, failures: fleet.outages,
      place: try storage.fleetPlace()?.position.number, keptMarks: counts.kept,
      refusedMarks: counts.refused,
      overdue: fleet.overdue(counts.kept, oldest: counts.oldest, at: now()))
  }

  /// The marks that are kept for the fleet and still to be delivered, after the one with a number, in their order and
  /// no more than so many. Cost: one SELECT.
  package func keptFleetMarks(_ limit: Int, after last: Int64 = 0) throws(StoreError) -> [KeptMark]
  {
    try storage.marksForFleet(limit, after: last).map { mark in
      KeptMark(id: mark.id, scope: SharedMark.Scope(mark.scope), reason: mark.reason)
    }
  }

  /// The marks that were kept for the fleet, and that its shared tier has refused since, in their order: this host
  /// has applied them, and the others have not. Until they are dropped, it asks the source for what they cover,
  /// whatever the fleet has. Cost: one SELECT.
  public func refusedFleetMarks() throws(StoreError) -> [RefusedMark] {
    try storage.refusedMarksForFleet().map { RefusedMark($0, $0.refusal ?? "") }
  }

  /// Has the refused marks delivered once more, with the others; returns their number.
  @discardableResult
  public func retryRefusedFleetMarks() async throws(StoreError) -> Int {
    let count = try await queue.run { [storage] () throws(StoreError) in
      try storage.takeRefusalsBack()
    }
    if let fleet, count > 0 { catchUpSoon(with: fleet) }
    return count
  }

  /// Drops marks that were refused: the other hosts never hear of them.
  ///
  /// - Returns: The number of those that were still there.
  @discardableResult
  public func dropRefusedFleetMarks(_ marks: [RefusedMark]) async throws(StoreError) -> Int {
    let ids = Set(marks.map(\.id))
    return try await queue.run { [storage] () throws(StoreError) in
      let refused = try storage.refusedMarksForFleet().filter { ids.contains($0.id) }
      try storage.forget(refused)
      return refused.count
    }
  }
}
