internal import Strategies

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
