/// Marks on their way to the fleet.
extension Store {
  /// The marks of one call.
  private static let marksAtOnce = 256
  /// The calls in a row that may fail for a reason of their own, before the tier itself is taken for the reason.
  private static let mostStrikes = 3

  /// Marks in the fleet, durably; returns whether the mark is applied here, too. It is not where there are more marks
  /// before it than a caller waits for.
  func mark(
    _ scopes: [SharedMark.Scope], because reason: String, in fleet: FleetMember
  ) async throws(StoreError) -> Bool {
    let question = try await question(to: fleet)
    let answer = try await ask(fleet, for: .markStale) { (tier) async throws(SharedTierError) in
      try await tier.mark(scopes, reason: reason, since: question.position)
    }
    do throws(StoreError) {
      let meeting = Storage.Meeting(answer.news, since: question.position)
      if try await meet(meeting, question).isUpToDate { return true }
      return try await catchUp(with: fleet, answers: Self.answersAwaited)
    } catch {
      // It is made.
      switch error.code {
      case .sharedTier, .cancelled: return false
      default: throw error
      }
    }
  }

  /// Delivers the marks that were kept. One that the tier refuses holds up no other.
  func deliverMarks(to fleet: FleetMember) async throws(StoreError) {
    var (last, strikes): (Int64, Int) = (0, 0)
    while !isClosed {
      let kept = try await queue.run { [storage, last] () throws(StoreError) in
        try storage.marksForFleet(Self.marksAtOnce, after: last)
      }
      guard let first = kept.first else { return }
      // One call has one reason.
      let marks =
        first.loss != nil
        ? [first] : Array(kept.prefix { $0.loss == nil && $0.reason == first.reason })
      try await deliver(marks, to: fleet, &strikes)
      last = marks.last?.id ?? first.id
    }
  }

  /// Delivers marks together; where the tier refuses them, one by one.
  private func deliver(
    _ marks: [Storage.MarkForFleet], to fleet: FleetMember, _ strikes: inout Int
  ) async throws(StoreError) {
    do throws(StoreError) {
      try await send(marks, to: fleet)
      strikes = 0
    } catch {
      guard let failure = error.sharedTierFailure else { throw error }
      switch failure.code {
      case .invalidArgument, .other: break
      default: throw error
      }
      guard marks.count == 1, let mark = marks.first else {
        for mark in marks { try await deliver([mark], to: fleet, &strikes) }
        return
      }
      guard failure.code == .invalidArgument else {
        // Nobody knows whether the next attempt fails as well.
        strikes += 1
        guard strikes < Self.mostStrikes else { throw error }
        return
      }
      let refusal = "\(failure)"
      try await queue.run { [storage] () throws(StoreError) in
        try storage.setAside(mark, because: refusal)
      }
      report(.refusedFleetMark(RefusedMark(mark, refusal)))
    }
  }

  /// Makes one call for marks with the same reason, and forgets what the fleet has.
  private func send(
    _ marks: [Storage.MarkForFleet], to fleet: FleetMember
  ) async throws(StoreError) {
    guard let first = marks.first else { return }
    if let loss = first.loss {
      let span = loss.span(until: now())
      _ = try await ask(fleet, for: .markStale, bringsNews: false) {
        (tier) async throws(SharedTierError) in
        try await tier.markAll(reason: first.reason, unlessWithin: span)
      }
    } else {
      // Here they were applied when they were made.
      _ = try await mark(
        marks.map { SharedMark.Scope($0.scope) }, because: first.reason, in: fleet)
    }
    try await queue.run { [storage] () throws(StoreError) in try storage.forget(marks) }
  }
}

extension RefusedMark {
  init(_ mark: Storage.MarkForFleet, _ refusal: String) {
    self.init(
      id: mark.id, scope: SharedMark.Scope(mark.scope), reason: mark.reason, refusal: refusal)
  }
}
