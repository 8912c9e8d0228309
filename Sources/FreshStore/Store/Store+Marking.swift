internal import Strategies

extension Store {
  /// Marks every record with the tag stale, in all collections.
  ///
  /// When the call returns, the mark is durable, and every process sees it at its next read. The cost is the same
  /// however many records have the tag. The result of a running fetch is stale, too.
  ///
  /// In a fleet, when the call returns, the mark is durable in the shared tier, and applied on this host. The other
  /// hosts apply it as soon as they learn of it, and before anything that they get from the tier.
  ///
  /// - Throws: The error of the file; in a fleet `sharedTier` when the mark could not be made: nothing is marked,
  ///   unless that error is uncertain. With ``FleetOptions/OutOfReach/keepMarks`` the mark applies here instead,
  ///   and is delivered later, unless the store was wiped meanwhile: then the call throws `wiped`.
  public func markStale(tag: String, reason: String = "marked by tag") async throws(StoreError) {
    guard !tag.isEmpty else {
      throw StoreError(.invalidArgument("a tag must not be empty"), .markStale, path: path)
    }
    try await mark(.tag(tag), reason: reason, collection: nil) { _ in true }
  }

  /// Marks every record of a collection stale, as ``markStale(tag:reason:)`` does by tag.
  public func markStale(
    collection: String, reason: String = "marked by collection"
  ) async throws(StoreError) {
    try await mark(.collection(collection), reason: reason, collection: collection) { _ in true }
  }

  /// Marks records, closes the flights that are now outdated, and notifies the observers.
  @discardableResult
  func mark(
    _ scope: Storage.Scope, reason: String, collection: String?, key: String? = nil,
    flights matches: @Sendable (String) -> Bool
  ) async throws(StoreError) -> Bool {
    let (state, found) = try await mark([scope], reason: reason)
    closeFlights(collection, where: matches)
    return state == .applied || state == .ahead || found == [true]
  }

  /// Marks records, 1,000 in a transaction; returns how many of them exist here.
  func mark(
    _ keys: Set<ExactName>, of collection: String, reason: String
  ) async throws(StoreError) -> Int {
    var (left, marked) = (Array(keys)[...], 0)
    while !left.isEmpty {
      let next = left.prefix(1000)
      left = left.dropFirst(next.count)
      let (state, found) = try await mark(
        next.map { .key(collection, $0.text) }, reason: reason)
      closeFlights(collection) { keys.contains(ExactName($0)) }
      let isOfAll = state == .applied || state == .ahead
      marked += isOfAll ? next.count : found.count(where: \.self)
    }
    return marked
  }

  /// Marks in the fleet, if there is one, and here. Returns, for each scope, whether there was such a record here;
  /// nothing when the fleet's news have applied the marks.
  private func mark(
    _ scopes: [Storage.Scope], reason: String
  ) async throws(StoreError) -> (state: FleetMarkState, found: [Bool]) {
    let now = now()
    let begun = isOfFleet ? numberOfRequest() : nil
    let state = try await markInFleet(scopes, reason: reason)
    guard state != .applied else { return (state, []) }
    let tier = fleet?.tier.address
    let found = try await queue.run { [storage] () throws(StoreError) -> [Bool] in
      switch state {
      case .ahead: try storage.markAhead(scopes, reason: reason, begun: begun, now: now)
      case .kept:
        try storage.markAndKeep(scopes, reason: reason, for: tier, begun: begun, now: now)
      case .here, .applied: try storage.mark(scopes, reason: reason, now: now)
      }
    }
    return (state, found)
  }

  /// The state of a mark in the fleet: it decides how this host marks.
  private enum FleetMarkState: Sendable {
    /// The mark came with the news of the fleet, and is already applied here.
    case applied
    /// The fleet has the mark. This host makes it ahead of other marks of the fleet.
    case ahead
    /// The fleet does not have the mark yet. The file keeps it for the fleet.
    case kept
    /// There is no fleet.
    case here
  }

  /// Marks in the fleet, if there is one.
  private func markInFleet(
    _ scopes: [Storage.Scope], reason: String
  ) async throws(StoreError) -> FleetMarkState {
    guard let fleet else { return .here }
    do throws(StoreError) {
      if try await mark(scopes.map(SharedMark.Scope.init), because: reason, in: fleet) {
        return .applied
      }
      catchUpSoon(with: fleet)
      return .ahead
    } catch {
      // A mark that the tier refuses for good must not be kept for it.
      guard let failure = error.sharedTierFailure, failure.code != .invalidArgument,
        fleet.options.outOfReach == .keepMarks
      else { throw error }
      return .kept
    }
  }

  /// Applies the marks that the host has missed, and delivers the marks that were kept for the fleet.
  ///
  /// An open store does so by itself, from its beginning on and whenever the shared tier tells of news. A program that
  /// reads once and ends calls this first: until then the file is as of the last update by some process of the host.
  /// The call does nothing for a single host.
  ///
  /// Cost: one round trip, and a write when there are marks, or once a minute.
  ///
  /// - Throws: The error of the file, or `sharedTier` when the shared tier does not answer or refuses marks. When it
  ///   refuses marks, the marks that the host has missed are applied. If it has not answered for
  ///   ``FleetOptions/longestAlone``, everything fetched before is stale.
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

  /// The host's place in the order of its fleet's marks; `nil` before the first news. It needs no fleet, and works for
  /// a store that only reads. Cost: one SELECT.
  package func fleetPlace() throws(StoreError) -> FleetPlace? { try storage.fleetPlace() }

  /// The standing of this host in its fleet; `nil` for a host without a fleet. Cost: two SELECTs, and no request.
  package func fleetStanding() throws(StoreError) -> FleetStanding? {
    guard let fleet else { return nil }
    let counts = try storage.countMarksForFleet()
    return FleetStanding(
      obstacle: fleet.obstacle, failures: fleet.outages,
      place: try storage.fleetPlace()?.position.number, keptMarks: counts.kept,
      refusedMarks: counts.refused,
      overdue: fleet.overdue(counts.kept, oldest: counts.oldest, at: now()))
  }

  /// The marks that are kept for the fleet and still to be delivered, in their order. Cost: one SELECT.
  ///
  /// - Parameters:
  ///   - limit: The most marks.
  ///   - last: The number of the mark before the first one.
  package func keptFleetMarks(_ limit: Int, after last: Int64 = 0) throws(StoreError) -> [KeptMark]
  {
    try storage.marksForFleet(limit, after: last).map { mark in
      KeptMark(id: mark.id, scope: SharedMark.Scope(mark.scope), reason: mark.reason)
    }
  }

  /// The marks that were kept for the fleet, and that its shared tier has refused since, in their order.
  /// This host has applied them, and the other hosts have not. Until they are dropped, this host asks the source for
  /// the records that they cover, whatever the fleet has. Cost: one SELECT.
  public func refusedFleetMarks() throws(StoreError) -> [RefusedMark] {
    try storage.refusedMarksForFleet().map { RefusedMark($0, $0.refusal ?? "") }
  }

  /// Delivers the refused marks once more, with the other kept marks; returns the number of refused marks.
  @discardableResult
  public func retryRefusedFleetMarks() async throws(StoreError) -> Int {
    let count = try await queue.run { [storage] () throws(StoreError) in
      try storage.takeRefusalsBack()
    }
    if let fleet, count > 0 { catchUpSoon(with: fleet) }
    return count
  }

  /// Drops marks that were refused: the other hosts never learn of them.
  ///
  /// - Returns: The number of marks that were still there.
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
