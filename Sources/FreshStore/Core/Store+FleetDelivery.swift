/// The delivery of marks to the fleet.
extension Store {
  /// The marks of one call.
  private static let marksAtOnce = 256

  /// The result of a delivery of kept marks.
  struct MarkDelivery {
    /// True when the fleet has some of them.
    var hasDelivered = false
    /// The first error of one that is still to be delivered.
    var failure: StoreError?
  }

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
      let meeting = Storage.FleetUpdate(answer.news, since: question.position)
      if try await meet(meeting, question).isCurrent { return true }
      return try await catchUp(with: fleet, answers: Self.answersAwaited)
    } catch {
      // It is made.
      switch error.code {
      case .sharedTier, .cancelled: return false
      default: throw error
      }
    }
  }

  /// Delivers the marks that were kept, up to the first error that is the tier's own. One that the tier refuses, or
  /// that fails for a reason of its own, holds up no other. A caller that comes meanwhile waits, and delivers the rest.
  func deliverMarks(to fleet: FleetMember) async -> MarkDelivery {
    await fleet.beginDelivery()
    defer { fleet.endDelivery() }
    var (last, delivery): (Int64, MarkDelivery) = (0, MarkDelivery())
    do throws(StoreError) {
      while !isClosed {
        let kept = try await queue.run { [storage, last] () throws(StoreError) in
          try storage.marksForFleet(Self.marksAtOnce, after: last)
        }
        guard let first = kept.first else { break }
        // One call has one reason.
        let marks =
          first.lost != nil
          ? [first] : Array(kept.prefix { $0.lost == nil && $0.reason == first.reason })
        try await deliver(marks, to: fleet, &delivery)
        last = marks.last?.id ?? first.id
      }
    } catch {
      delivery.failure = delivery.failure ?? error
    }
    fleet.noteDelivery(hinderedBy: delivery.failure?.sharedTierFailure)
    return delivery
  }

  /// Delivers marks together; where the tier refuses them, one by one.
  private func deliver(
    _ marks: [Storage.MarkForFleet], to fleet: FleetMember, _ delivery: inout MarkDelivery
  ) async throws(StoreError) {
    do throws(StoreError) {
      try await send(marks, to: fleet)
      delivery.hasDelivered = true
    } catch {
      guard let failure = error.sharedTierFailure else { throw error }
      switch failure.code {
      case .invalidArgument, .other: break
      default: throw error
      }
      guard marks.count == 1, let mark = marks.first else {
        for mark in marks { try await deliver([mark], to: fleet, &delivery) }
        return
      }
      guard failure.code == .invalidArgument else {
        // The next attempt may succeed.
        delivery.failure = delivery.failure ?? error
        return
      }
      let refusal = "\(failure)"
      let isSetAside = try await queue.run { [storage] () throws(StoreError) in
        try storage.setAside(mark, because: refusal)
      }
      if isSetAside { report(.refusedFleetMark(RefusedMark(mark, refusal))) }
    }
  }

  /// Makes one call for marks with the same reason, and forgets what the fleet has.
  private func send(
    _ marks: [Storage.MarkForFleet], to fleet: FleetMember
  ) async throws(StoreError) {
    guard let first = marks.first else { return }
    if let lost = first.lost {
      _ = try await ask(fleet, for: .markStale, bringsNews: false) {
        (tier) async throws(SharedTierError) in
        try await tier.markAll(reason: first.reason, unlessAfter: lost)
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
