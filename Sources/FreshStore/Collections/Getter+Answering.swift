internal import Rules
internal import Strategies

extension Getter {
  /// The answer for a flight's outcome.
  func answer(_ subject: Subject, _ outcome: Flight<Value>.Outcome) -> Outcome {
    switch outcome {
    case .stored(let record, let value, let isRevalidated):
      return .success(
        stored(subject, record, value, isRevalidated ? .revalidated : .fetched))
    case .found(let record, let value, let isFresh):
      return .success(stored(subject, record, value, isFresh ? .fresh : .staleOffline))
    case .unstored(let value, let details, let error):
      return .success(unstored(subject, value, details, error ?? subject.storeFailure))
    case .absent:
      return .failure(
        failure(
          .absent, subject.key, subject.examined?.decision, store: subject.storeFailure))
    case .failed(let failure):
      return serveInstead(presently(subject), failure)
    case .wiped(let error):
      return .failure(
        failure(.store, subject.key, subject.examined?.decision, store: error))
    }
  }

  /// The answer with the copy, because no fetch was needed or possible.
  func serve(_ examined: JudgedCopy<Value>, _ use: GetPlan.CopyUse, refreshes: Bool) -> Outcome {
    let freshness: Answer<Value>.Freshness =
      switch use {
      case .fresh: .fresh
      case .whileRevalidating: .staleWhileRevalidating
      case .offline: .staleOffline
      case .stale: .stale
      }
    return served(
      examined, freshness, needsRefresh: refreshes && policy.backgroundRefresh == .byCaller)
  }

  /// The answer with the copy in place of a failed fetch, where the policy allows it; otherwise the failure.
  func serveInstead(_ subject: Subject, _ fetchFailure: FetchFailure) -> Outcome {
    let error = failure(
      fetchFailure.code == .offline ? .offline : .fetchFailed, subject.key,
      subject.examined?.decision, fetch: fetchFailure,
      store: subject.storeFailure)
    guard !policy.mode.needsSource, let examined = subject.examined, examined.value != nil else {
      return .failure(error)
    }
    let decision = examined.decision
    let alone = subject.storeFailure?.sharedTierFailure == nil ? nil : subject.storeFailure
    switch decision.outcome {
    case .fresh:
      return served(examined, .fresh, fetchFailure, alone: alone)
    case .offline:
      return served(examined, .staleOffline, fetchFailure, alone: alone)
    case .stale where !decision.mustRevalidate:
      var grace = decision.graceOnError
      switch fetchFailure.code {
      case .originIsDown, .held: grace = max(grace, policy.graceWhileOriginIsDown ?? .zero)
      default: break
      }
      switch fetchFailure.code {
      case .pausing, .offline, .held: grace = max(grace, decision.graceWhileRevalidating)
      default: break
      }
      let mayStandIn = decision.isWithin(grace) || policy.fallback?(fetchFailure, decision) == true
      return mayStandIn
        ? served(examined, .staleOnError, fetchFailure, alone: alone) : .failure(error)
    case .stale, .unusable, .absent, .missing:
      return .failure(error)
    }
  }

  /// True when the copy may be served if the fetch takes too long.
  func mayServeAfterTimeout(_ examined: JudgedCopy<Value>) -> Bool {
    guard examined.value != nil, !policy.mode.needsSource else { return false }
    switch examined.decision.outcome {
    case .fresh, .offline: return true
    case .stale: return !examined.decision.mustRevalidate
    case .unusable, .absent, .missing: return false
    }
  }

  func serveAfterTimeout(_ examined: JudgedCopy<Value>) -> Outcome {
    served(examined, examined.decision.outcome == .fresh ? .fresh : .staleAfterTimeout)
  }

  private func served(
    _ examined: JudgedCopy<Value>, _ freshness: Answer<Value>.Freshness,
    _ fetchFailure: FetchFailure? = nil, alone: StoreError? = nil, needsRefresh: Bool = false
  ) -> Outcome {
    guard let value = examined.value, let record = examined.record else {
      return .failure(failure(.missing, examined.key, examined.decision))
    }
    let decision = examined.decision
    return .success(
      Answer(
        value: value, key: examined.key, freshness: freshness, lastUpdate: decision.lastUpdate,
        age: decision.age, expiry: decision.expiry, source: record.content.source,
        contentType: record.content.contentType, decision: decision, fetchFailure: fetchFailure,
        storeFailure: alone, needsRefresh: needsRefresh))
  }

  private func stored(
    _ subject: Subject, _ record: StoredRecord, _ value: Value,
    _ freshness: Answer<Value>.Freshness
  ) -> Answer<Value> {
    let now = collection.store.now()
    let lastUpdate = record.lastUpdate(at: now)
    return Answer(
      value: value, key: subject.key, freshness: freshness, lastUpdate: lastUpdate,
      age: lastUpdate.map { max(.zero, now.wall.duration(since: $0)) },
      expiry: record.content.expiry, source: record.content.source,
      contentType: record.content.contentType, decision: subject.examined?.decision,
      fetchFailure: nil, storeFailure: subject.storeFailure, needsRefresh: false)
  }

  private func unstored(
    _ subject: Subject, _ value: Value, _ details: FetchDetails, _ error: StoreError?
  ) -> Answer<Value> {
    let now = collection.store.now().wall
    let lastUpdate = details.lastUpdate ?? now
    return Answer(
      value: value, key: subject.key, freshness: .fetched, lastUpdate: lastUpdate,
      age: max(.zero, now.duration(since: lastUpdate)), expiry: details.expiry ?? .immediately,
      source: details.source, contentType: details.contentType,
      decision: subject.examined?.decision, fetchFailure: nil, storeFailure: error,
      needsRefresh: false)
  }
}

/// A get that bypasses the store: it neither reads nor writes records.
struct BypassingGet<Value: Sendable>: Sendable {
  let getter: Getter<Value>

  func results(of keys: [String]) async -> [String: Getter<Value>.Outcome] {
    guard !keys.isEmpty else { return [:] }
    let collection = getter.collection
    let fetch = getter.fetch
    let store = collection.store
    let call = SourceCall(of: collection.name, in: store, by: getter.policy)
    var results: [String: Getter<Value>.Outcome] = [:]
    if store.isClosed {
      for key in keys {
        let closed = collection.error(.closed, .read, key)
        results[key] = .failure(getter.failure(.store, key, store: closed))
      }
      return results
    }
    if let offline = call.source.offline {
      for key in keys {
        results[key] = .failure(getter.failure(.offline, key, fetch: offline.failure))
      }
      return results
    }
    if let held = hold(call.source) {
      for key in keys {
        results[key] = .failure(getter.failure(.fetchFailed, key, fetch: held.failure))
      }
      return results
    }
    let attempt = await call.run { try await fetch(keys.map { Previous(key: $0) }) }
    let answers = await collection.admitted(
      attempt.result, for: keys, limit: getter.policy.hardTimeout)
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
      // A hold that cannot be read holds back no caller.
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
