import FreshStore

extension Model {
  /// This model with the observed actions of synchronizers, in every possible order.
  func joined(by sight: Sight, draining: [Int]) -> [Model] {
    guard !draining.isEmpty else { return [self] }
    var models = [self]
    for store in draining {
      // It writes verdicts down at every look at the queue.
      models += models.map { model in
        var model = model
        model.flush(store)
        return model
      }
      models = models.flatMap { $0.endingKnownConflicts(store) }
      // Its own timed actions happen when anything wakes it after the machine has slept.
      models += models.flatMap { model -> [Model] in
        guard model.mayGiveUp(store) else { return [] }
        var model = model
        model.giveUp(store)
        return model.withErrandsDone()
      }
    }
    return Array(Set(models.map { $0.following(sight) }))
  }

  /// This model with the observed starts of synchronizers, as far as they are allowed.
  private func following(_ sight: Sight) -> Model {
    var model = self
    for question in model.unknownPushes(in: sight) where question.isBySync {
      model = model.sending(question) ?? model
    }
    for question in model.unknownFetches(in: sight) where question.isBySync {
      model = model.asking(question) ?? model
    }
    return model
  }

  /// True when a synchronizer gives up its requests in flight as soon as anything wakes it.
  func mayGiveUp(_ store: Int) -> Bool {
    processes[store].outage.map {
      now.sinceBoot - $0.sinceBoot >= Setting.outage.milliseconds
    } ?? false
  }

  /// True when a synchronizer gives up its requests in flight.
  func mustGiveUp(_ store: Int) -> Bool {
    processes[store].outage.map {
      processes[store].awake - $0.awake >= Setting.outage.milliseconds
    } ?? false
  }

  /// A synchronizer gives up its requests in flight.
  mutating func giveUp(_ store: Int) {
    for flight in flights where flight.store == store && flight.isBySync { end(flight.id) }
    for push in pushes where push.store == store && push.isBySync { giveUp(push) }
  }

  /// A synchronizer gives up a push: no attempt that failed, though the write may have arrived.
  mutating func giveUp(_ push: ModelPush) {
    pushes.removeAll { $0 == push }
    noteDropped(push)
    change(push.entry) { entry in
      guard entry.holder?.fence == push.fence else { return }
      (entry.holder, entry.pausedUntil) = (nil, nil)
      (entry.attempts, entry.tries) = (entry.attempts - 1, max(0, entry.tries - 1))
    }
  }

  private func unknownFetches(in sight: Sight) -> [SimulatedSource.Question] {
    var known = attempts.map(\.question)
    return sight.fetches.filter { question in
      guard let index = known.firstIndex(of: question) else { return true }
      known.remove(at: index)
      return false
    }
  }

  private func unknownPushes(in sight: Sight) -> [SimulatedSource.PushQuestion] {
    var known = pushes.map(\.question)
    return sight.pushes.filter { question in
      guard let index = known.firstIndex(of: question) else { return true }
      known.remove(at: index)
      return false
    }
  }
}
