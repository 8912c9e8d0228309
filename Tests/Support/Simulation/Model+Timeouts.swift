extension Model {
  /// The possible results of fetches and pushes that have taken too long: they have failed, except those of
  /// a synchronizer that gives them up at the same moment.
  func expired() -> [Model] {
    expiredInAnyOrder().flatMap { model in
      var model = model
      for store in model.processes.indices where model.mustGiveUp(store) { model.giveUp(store) }
      return model.withErrandsDone()
    }
  }

  /// The same one after the other, in any order where a task waits for a lease.
  ///
  /// Such a task may take a lease that was given back before the next attempt has failed. It may
  /// also look again, and join the next flight or be refused. Each task does so at a moment of its
  /// own.
  private func expiredInAnyOrder() -> Set<Model> {
    var (open, seen, done): ([Model], Set<Model>, Set<Model>) = ([self], [], [])
    while var model = open.popLast() {
      while let errand = model.settledErrand { model.run(errand) }
      guard seen.insert(model).inserted else { continue }
      let over = model.endsOfAttempts() + model.endsOfPushes()
      if over.isEmpty {
        done.formUnion(model.withErrandsDone())
        continue
      }
      for errand in model.errands {
        var next = model
        next.run(errand)
        open.append(next)
      }
      let isWaitedFor =
        !model.errands.isEmpty
        || model.flights.contains { flight in
          !flight.isAsking || flight.callers.contains(where: \.isJoined)
        }
      for ends in isWaitedFor ? over : Array(over.prefix(1)) {
        open += isWaitedFor ? ends.flatMap { [$0] + $0.rested() } : ends
      }
    }
    return done
  }

  /// For each fetch that has taken too long, the possible results.
  private func endsOfAttempts() -> [[Model]] {
    attempts.compactMap { attempt in
      let flight = attempt.flights[0]
      guard isOver(flight.deadline, flight.store) else { return nil }
      var ends = [self]
      ends[0].expire(attempt)
      if flight.isBySync, mayGiveUp(flight.store) {
        ends.append(self)
        ends[1].end(flight.id)
      }
      return ends
    }
  }

  /// The same of pushes.
  private func endsOfPushes() -> [[Model]] {
    pushes.compactMap { push in
      guard isOver(push.deadline, push.store) else { return nil }
      var ends = [self]
      ends[0].expire(push)
      if push.isBySync, mayGiveUp(push.store) {
        ends.append(self)
        ends[1].giveUp(push)
      }
      return ends
    }
  }

  private func isOver(_ deadline: Int64, _ store: Int) -> Bool {
    deadline <= processes[store].awake && flaw != .ignoresTimeouts
  }

  /// A fetch has taken too long: it has failed, and a later answer of its source is ignored.
  private mutating func expire(_ attempt: ModelAttempt) {
    let first = attempt.flights[0]
    noteWay(first.store, first.how, isAnswered: false, began: first.began)
    answer(attempt.id, nil)
    for flight in attempt.flights { deliver(flight: flight.id) }
  }

  private mutating func expire(_ push: ModelPush) {
    noteWay(push.store, .plain, isAnswered: false, began: push.began)
    settle(push, .failure)
    unseat(push)
  }
}
