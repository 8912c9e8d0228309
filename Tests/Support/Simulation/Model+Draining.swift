extension Model {
  /// This model, and what synchronizers are seen to do beside it, in every way that they may.
  func joined(by sight: Sight, draining: [Int]) -> [Model] {
    guard !draining.isEmpty else { return [self] }
    var models = [self]
    for store in draining {
      // It writes verdicts down whenever it looks at the queue.
      models += models.map { model in
        var model = model
        model.flush(store)
        return model
      }
    }
    return Array(Set(models.map { $0.following(sight) }))
  }

  /// This model with what synchronizers are seen to have begun, as far as they may.
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

  private func unknownFetches(in sight: Sight) -> [SimulatedSource.Question] {
    var known = flights.filter(\.isAsking).map(\.question)
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
