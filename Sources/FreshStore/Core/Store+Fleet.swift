internal import Strategies

/// The store's talk with the fleet: every answer brings marks, which are applied first.
extension Store {
  /// True for the store of a host that belongs to a fleet.
  package var isOfFleet: Bool { fleet != nil }

  /// True where the other hosts of a fleet must hear of a write that a source has accepted. It is true also in a
  /// process outside the fleet, on a file of one of its hosts. Cost there: one SELECT.
  var isFileOfFleet: Bool {
    guard fleet == nil else { return true }
    do throws(StoreError) {
      return try storage.fleetPlace() != nil
    } catch {
      // Nothing could be kept there either.
      return false
    }
  }

  /// The answers with more marks that a caller waits for, at most. Each may bring some hundreds: what is left of a
  /// long absence is applied where nobody waits.
  static let answersAwaited = 2

  /// The state of this host for a request that is made now. Cost: one SELECT.
  func question(to fleet: FleetMember) async throws(StoreError) -> FleetQuestion {
    let (outages, falls) = (fleet.outages, fleet.falls)
    let position = try await queue.run { [storage] () throws(StoreError) in
      try storage.fleetState()?.position
    }
    return FleetQuestion(position: position, outages: outages, falls: falls)
  }

  /// Asks the shared tier, and notes that it has answered.
  ///
  /// - Parameter bringsNews: False for a call whose answer holds no marks.
  /// - Throws: `sharedTier` when it has not.
  func ask<Result: Sendable>(
    _ fleet: FleetMember, for operation: StoreOperation, bringsNews: Bool = true,
    _ body: (any SharedTier) async throws(SharedTierError) -> Result
  ) async throws(StoreError) -> Result {
    let outages = fleet.outages
    do throws(SharedTierError) {
      let result = try await body(fleet.tier)
      if fleet.noteAnswer(at: now()) {
        fallBehind(fleet, after: outages)
        if !bringsNews { catchUpSoon(with: fleet) }
      }
      return result
    } catch {
      if error.code != .cancelled {
        fleet.noteFailure()
        report(.wentAlone(error))
      }
      throw StoreError(.sharedTier(error), operation, path: path)
    }
  }

  /// Takes copies for doubtful until the marks are applied that the host has missed (``doubted(_:at:)``).
  private func fallBehind(_ fleet: FleetMember, after outages: Int) {
    guard fleet.fallBehind(at: numberSoFar, after: outages) else { return }
    // Copies in memory are served without another look.
    storage.database.memory.empty()
  }

  /// The same of a host that has heard of marks and could not apply them, or not all.
  private func fallBehind(_ fleet: FleetMember?, at number: Int64) {
    guard let fleet else { return }
    fleet.fallBehind(at: number)
    storage.database.memory.empty()
  }

  /// Does the same unless the task is cancelled within a moment; true where it did. A caller that waits longer for the
  /// lock of the file has heard of marks that are not in the file yet.
  private func fallBehindSoon(_ fleet: FleetMember) async -> Bool {
    do {
      try await configuration.clock.sleep(for: .milliseconds(500))
    } catch {
      return false
    }
    fallBehind(fleet, at: numberSoFar)
    return true
  }

  /// The number of the store's sequence; where it cannot be read, one that is higher than all.
  private var numberSoFar: Int64 {
    do throws(StoreError) {
      return try storage.currentNumber()
    } catch {
      return .max
    }
  }

  /// A record while the fleet is in reach, and marks of it are still to be applied: as if one of them covered it,
  /// unless it was asked for since. A copy that is served all the same, offline say, is called stale.
  func doubted(_ record: StoredRecord, at now: ClockReading) -> StoredRecord {
    guard let behind = fleet?.behind, record.epoch <= behind else { return record }
    return marked(record, because: "marks of the fleet are still to be applied", at: now)
  }

  /// A record as if a mark of the fleet covered it that is still to be applied.
  func marked(
    _ record: StoredRecord, because reason: String, at now: ClockReading
  ) -> StoredRecord {
    guard record.mark == nil, !record.isCovered, !record.isPending, record.kind != .unfetched
    else { return record }
    var record = record
    record.mark = StoredRecord.Mark(at: now.wall, reason: reason, epoch: 0)
    return record
  }

  // MARK: News

  /// Takes in the marks that the host has missed; false when there are more after so many answers.
  @discardableResult
  func catchUp(
    with fleet: FleetMember, answers: Int = .max
  ) async throws(StoreError) -> Bool {
    for _ in 0..<answers {
      guard !Task.isCancelled, !isClosed else {
        throw StoreError(.cancelled, .markStale, path: path)
      }
      let question = try await question(to: fleet)
      let news = try await ask(fleet, for: .markStale) { (tier) async throws(SharedTierError) in
        try await tier.news(since: question.position)
      }
      let meeting = Storage.FleetUpdate(news, since: question.position)
      // Marks that another answer has brought meanwhile may not be applied.
      if try await meet(meeting, question).isCurrent, fleet.behind == nil { return true }
    }
    return false
  }

  /// Applies news in one transaction with what depends on it, and reports them. Copies are doubtful until all news are
  /// applied: after a failure, and while there are more.
  func meet(
    _ meeting: Storage.FleetUpdate, _ question: FleetQuestion
  ) async throws(StoreError) -> Storage.FleetUpdateResult {
    let now = now()
    var meeting = meeting
    meeting.tier = fleet?.tier.address
    // A record that comes with the news is as new as they are.
    let number = meeting.news.isMore ? numberSoFar : nil
    let waiting = meeting.isNews ? fleet.map { fleet in Task { await fallBehindSoon(fleet) } } : nil
    let result: Storage.FleetUpdateResult
    do throws(StoreError) {
      result = try await queue.run { [storage, meeting] () throws(StoreError) in
        try storage.meet(meeting, now: now)
      }
    } catch {
      waiting?.cancel()
      if meeting.isNews { fallBehind(fleet, at: number ?? numberSoFar) }
      throw error
    }
    waiting?.cancel()
    // The doubt of the meantime ends with the next answer.
    if let fleet, await waiting?.value == true { catchUpSoon(with: fleet) }
    if result.lacksMarks { fallBehind(fleet, at: number ?? numberSoFar) }
    for mark in result.applied.setAside {
      report(.refusedFleetMark(RefusedMark(mark, mark.refusal ?? "")))
    }
    let marked = result.applied.marked
    for (scope, _) in marked { closeFlights(outdatedBy: scope) }
    if let fleet {
      if result.isCurrent { fleet.noteEnd(of: question) }
      // The fleet is told of it.
      if meeting.news.hasLostHistory, !marked.isEmpty { catchUpSoon(with: fleet) }
    }
    guard !marked.isEmpty else { return result }
    if case .suspect(let cause, _) = meeting.news {
      report(.tookFleetMarks(count: 0, unknown: cause))
    } else {
      report(.tookFleetMarks(count: marked.count, unknown: nil))
    }
    return result
  }

  /// Closes the flights that are outdated by a mark.
  func closeFlights(outdatedBy scope: Storage.Scope) {
    switch scope {
    case .key(let name, let key): closeFlights(name) { $0.hasSameBytes(as: key) }
    case .prefix(let name, let prefix): closeFlights(name) { $0.utf8.starts(with: prefix.utf8) }
    case .collection(let name): closeFlights(name)
    case .tag, .all: closeFlights(nil)
    }
  }
}
