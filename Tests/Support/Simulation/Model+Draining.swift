extension Model {
  /// This model, and what synchronizers are seen to do beside it, in every way that the seen allows;
  /// none when they do what they must not.
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
    return Set(models).compactMap { $0.following(sight) }
  }

  private func following(_ sight: Sight) -> Model? {
    var model = self
    for question in model.unknownPushes(in: sight) {
      guard question.isBySync, let next = model.sending(question) else { return nil }
      model = next
    }
    for question in model.unknownFetches(in: sight) {
      guard question.isBySync, let next = model.asking(question) else { return nil }
      model = next
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
