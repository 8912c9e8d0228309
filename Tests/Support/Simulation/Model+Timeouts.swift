extension Model {
  /// What may come of fetches and pushes that have taken too long: they have failed, but for those of
  /// a synchronizer that gives them up at the same moment.
  func expired() -> [Model] {
    var open = expiredAttempts()
    for push in pushes where isOver(push.deadline, push.store) {
      open = Set(
        open.flatMap { model in
          var ends = [model]
          ends[0].expire(push)
          if push.isBySync, model.mayGiveUp(push.store) {
            ends.append(model)
            ends[1].giveUp(push)
          }
          return ends
        })
    }
    return open.map { model in
      var model = model
      for store in model.processes.indices where model.mustGiveUp(store) { model.giveUp(store) }
      return model
    }
  }

  /// The same of fetches alone, in any order where somebody waits for a lease, who may take what one
  /// gives back before the next has failed, or may look again and join the next.
  private func expiredAttempts() -> Set<Model> {
    var (open, done): ([Model], Set<Model>) = ([self], [])
    while let model = open.popLast() {
      let over = model.attempts.filter { attempt in
        model.isOver(attempt.flights[0].deadline, attempt.flights[0].store)
      }
      if over.isEmpty { done.insert(model) }
      let isWaitedFor = model.flights.contains { flight in
        !flight.isAsking || flight.callers.contains(where: \.isJoined)
      }
      for attempt in isWaitedFor ? over : Array(over.prefix(1)) {
        let flight = attempt.flights[0]
        var ends = [model]
        ends[0].expire(attempt)
        if flight.isBySync, model.mayGiveUp(flight.store) {
          ends.append(model)
          ends[1].end(flight.id)
        }
        open += isWaitedFor ? ends.flatMap { [$0] + $0.rested() } : ends
      }
    }
    return done
  }

  private func isOver(_ deadline: Int64, _ store: Int) -> Bool {
    deadline <= processes[store].awake && flaw != .ignoresTimeouts
  }

  /// A fetch has taken too long: it has failed, and what its source still answers is heard by nobody.
  private mutating func expire(_ attempt: ModelAttempt) {
    let first = attempt.flights[0]
    noteWay(first.store, first.how, isAnswered: false, began: first.began)
    answer(attempt.id, nil)
    for flight in attempt.flights { deliver(flight: flight.id) }
  }

  private mutating func expire(_ push: ModelPush) {
    noteWay(push.store, .plain, isAnswered: false, began: push.began)
    settle(push, .failure)
  }
}
