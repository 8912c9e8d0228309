internal import Rules

/// A get that leaves the store alone: neither read nor written.
struct SourceOnly<Value: Sendable>: Sendable {
  let getter: Getter<Value>

  func results(of keys: [String]) async -> [String: Getter<Value>.Outcome] {
    guard !keys.isEmpty else { return [:] }
    let collection = getter.collection
    let fetch = getter.fetch
    let store = collection.store
    let way = FetchEvidence.Way(getter.policy, collection: collection.name)
    let fetched = await store.watched(way) {
      await Deadline.run(getter.policy.hardTimeout, clock: store.configuration.clock) {
        try await fetch(keys.map { Previous(key: $0) })
      }
    }
    var results: [String: Getter<Value>.Outcome] = [:]
    for key in keys {
      if case .failure(let failure) = fetched, failure.code == .cancelled {
        results[key] = .failure(getter.failure(.cancelled, key, fetch: failure))
        continue
      }
      let subject = Getter<Value>.Subject(key: key)
      results[key] = getter.answer(subject, outcome(of: key, fetched))
    }
    return results
  }

  private func outcome(
    of key: String, _ fetched: Result<[String: Fetched<Value>], FetchFailure>
  ) -> Flight<Value>.Outcome {
    switch fetched.map({ $0[key] }) {
    case .failure(let failure): return .failed(failure)
    case .success(nil): return .failed(.notAnswered(key))
    case .success(.gone): return .absent
    case .success(.notModified): return .failed(.notModifiedWithoutCopy)
    case .success(.value(let value, let details)):
      if let report = getter.collection.rule?.check(value), !report.isValid {
        return .failed(.refused(report))
      }
      return .unstored(value, details, nil)
    }
  }
}
