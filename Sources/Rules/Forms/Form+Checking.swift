internal import Synchronization

extension Form {
  /// The fields to validate in a snapshot of the model.
  struct Question {
    var indices: [Int]
    var isWhole: Bool
    let delay: Duration
    let model: Model
    let revision: Int
    let overtaken: [Task<Void, Never>]

    /// The same question with nothing to validate; superseded questions are still cancelled.
    var ofNothing: Question {
      var question = self
      (question.indices, question.isWhole) = ([], false)
      return question
    }
  }

  /// Makes all earlier answers on these fields, and on the whole, out of date. The rules are the caller's code, so
  /// they run outside the lock.
  func begin(
    _ indices: [Int], isWhole: Bool = false, after delay: Duration, _ storage: inout Storage
  ) -> Question {
    let revision = storage.nextRevision()
    if isWhole { storage.wholeRevision = revision }
    var overtaken: [Task<Void, Never>] = []
    for index in indices {
      storage.revisions[index] = revision
      if let task = storage.tasks[index] { overtaken.append(task) }
      storage.tasks[index] = nil
    }
    return Question(
      indices: indices, isWhole: isWhole, delay: delay, model: storage.model, revision: revision,
      overtaken: overtaken)
  }

  /// Asks the synchronous rules, and starts the asynchronous ones.
  func answer(_ question: Question) {
    for task in question.overtaken { task.cancel() }
    guard !question.indices.isEmpty || question.isWhole else { return }
    let whole = rule.check(question.model)
    let reports = question.indices.map { index in
      fields[index].rule.check(question.model)
        .merging(whole.keeping { self.index(of: $0) == index })
    }
    storage.withLock { storage in
      if question.isWhole, storage.wholeRevision == question.revision {
        storage.state.whole = whole.keeping { self.index(of: $0) == nil }
      }
      for (index, report) in zip(question.indices, reports)
      where storage.revisions[index] == question.revision {
        storage.state.fields[index].conclude(report)
        guard report.isValid, let asking = fields[index].asking else { continue }
        storage.state.fields[index].phase = .validating
        storage.tasks[index] = start(asking, question, index)
      }
      publish(storage)
    }
  }

  private func start(
    _ asking: AsyncRule<Model>, _ question: Question, _ index: Int
  ) -> Task<Void, Never> {
    Task { [weak self, clock] in
      if question.delay > .zero {
        do { try await clock.sleep(for: question.delay) } catch { return }
      }
      let report = await asking.check(question.model)
      self?.conclude(index, question.revision, report)
    }
  }

  private func conclude(_ index: Int, _ revision: Int, _ report: Report) {
    storage.withLock { storage in
      guard storage.revisions[index] == revision else { return }
      storage.tasks[index] = nil
      let report = storage.state.fields[index].report.merging(report)
      storage.state.fields[index].conclude(report)
      publish(storage)
    }
  }

  /// Runs under the lock to keep the states in order. A stream only buffers here, and runs no foreign code.
  func publish(_ storage: Storage) {
    for observer in observers.withLock({ Array($0.values) }) { observer.yield(storage.state) }
  }

  func index(of path: IssuePath) -> Int? {
    guard case .field(let name)? = path.components.first else { return nil }
    return fields.firstIndex { $0.name == name }
  }
}

extension Report {
  /// The part at the wanted paths. Without issues there, nothing failed there.
  fileprivate func keeping(_ isWanted: (IssuePath) -> Bool) -> Report {
    guard !issues.isEmpty || !omissions.isEmpty else { return .valid }
    let issues = issues.filter { isWanted($0.path) }
    let omissions = omissions.filter { isWanted($0.path) }
    let isUndecided = issues.isEmpty && omissions.contains { $0.kind == .undecided }
    return Report(issues, omissions: omissions, outcome: isUndecided ? .undecided : nil)
  }
}
