internal import Rules

/// A get that bypasses the store: neither read nor written.
struct BypassingGet<Value: Sendable>: Sendable {
  let getter: Getter<Value>

  func results(of keys: [String]) async -> [String: Getter<Value>.Outcome] {
    guard !keys.isEmpty else { return [:] }
    let collection = getter.collection
    let fetch = getter.fetch
    let store = collection.store
    let source = collection.admission(getter.policy)
    var results: [String: Getter<Value>.Outcome] = [:]
    if store.isClosed {
      for key in keys {
        let closed = collection.error(.closed, .read, key)
        results[key] = .failure(getter.failure(.store, key, store: closed))
      }
      return results
    }
    if let offline = source.offline {
      for key in keys {
        results[key] = .failure(getter.failure(.offline, key, fetch: offline.failure))
      }
      return results
    }
    if let held = hold(source) {
      for key in keys {
        results[key] = .failure(getter.failure(.fetchFailed, key, fetch: held.failure))
      }
      return results
    }
    let fetched = await store.watched(source.route) {
      await Deadline.run(getter.policy.hardTimeout, clock: store.configuration.clock) {
        try await fetch(keys.map { Previous(key: $0) })
      }
    }
    let answers = await collection.admitted(
      fetched, for: keys, limit: getter.policy.hardTimeout)
    for (key, answer) in answers {
      if case .failure(let failure) = answer, failure.code == .cancelled {
        results[key] = .failure(getter.failure(.cancelled, key, fetch: failure))
        continue
      }
      results[key] = getter.answer(Getter<Value>.Subject(key: key), outcome(of: answer))
    }
    return results
  }

  private func hold(_ source: SourceAdmission) -> SourceObstacle? {
    do throws(StoreError) {
      return try source.hold()
    } catch {
      // What cannot be read holds nobody.
      source.store.report(.notStored(error))
      return nil
    }
  }

  private func outcome(
    of answer: Result<Fetched<Value>, FetchFailure>
  ) -> Flight<Value>.Outcome {
    switch answer {
    case .failure(let failure): .failed(failure)
    case .success(.gone(let details)): .absent(variant: details.variant, found: nil)
    case .success(.notModified): .failed(.notModifiedWithoutCopy)
    case .success(.value(let value, let details)): .unstored(value, details, nil)
    }
  }
}
