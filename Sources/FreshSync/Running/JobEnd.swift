internal import FreshStore
internal import Strategies

/// What came of one fetch, push or list.
struct JobEnd: Sendable {
  var report = SyncReport()
  /// What was handed out and is to be put back to its place.
  var unsettled: [QueueClaim] = []
  /// How long the origin is to be left alone, because no attempt was made.
  var pausedUntil: Timestamp?
  /// What has been tried and failed: a run that ends when all is done does not try it again.
  var failed: [RecordID] = []
  /// Why nothing can be expected of the store for a while; a failure that concerns one record, or one
  /// list, is counted and no more.
  private(set) var storeFailure: StoreError?

  /// True when something is due again at once.
  var isUnsettled = false
}

extension JobEnd {
  /// Notes that the store could not do what was asked.
  mutating func note(_ failure: StoreError?) {
    if let failure, failure.isOfFile { storeFailure = failure }
  }

  /// Notes what a refetch brought for one record.
  mutating func note<Value>(_ result: Result<Answer<Value>, GetError>?, _ claim: QueueClaim) {
    switch result {
    case .success(let answer): note(answer, claim)
    case .failure(let error): note(error, claim)
    case nil: unsettled.append(claim)
    }
  }

  /// Notes what became of a local write.
  mutating func note<Value>(_ result: Result<PushOutcome<Value>, StoreError>?) {
    switch result {
    case .success(.accepted): report.pushed += 1
    case .success(.discarded): report.conflicts += 1
    case .success(.parked): report.parked += 1
    case .success(.deferred(_, _, let failure)):
      if failure == nil { report.deferred += 1 } else { report.failed += 1 }
    case .success(.superseded), nil: break
    case .failure(let error):
      note(error)
      report.failed += 1
    }
  }

  /// Notes how a list was followed.
  mutating func note(_ result: Result<FollowedList, GetError>) {
    switch result {
    case .success: report.lists += 1
    case .failure(let error):
      switch (error.code, error.fetchFailure?.code) {
      case (_, .originIsDown(let until)), (_, .pausing(let until)): pausedUntil = until
      case (.cancelled, _), (.offline, _), (_, .offline): break
      default:
        note(error.storeFailure)
        report.failed += 1
      }
    }
  }

  private mutating func note<Value>(_ answer: Answer<Value>, _ claim: QueueClaim) {
    if let failure = answer.fetchFailure { return note(failure, claim) }
    switch answer.storeFailure?.code {
    case nil, .superseded, .pendingWrite: break
    default:
      note(answer.storeFailure)
      report.failed += 1
      failed.append(claim.name)
      return
    }
    if answer.freshness == .revalidated { report.notModified += 1 } else { report.fetched += 1 }
  }

  private mutating func note(_ error: GetError, _ claim: QueueClaim) {
    switch error.code {
    case .absent: report.gone += 1
    case .cancelled, .offline: unsettled.append(claim)
    case .fetchFailed, .stale, .missing, .store:
      if let failure = error.fetchFailure { return note(failure, claim) }
      note(error.storeFailure)
      report.failed += 1
      failed.append(claim.name)
    }
  }

  private mutating func note(_ failure: FetchFailure, _ claim: QueueClaim) {
    switch failure.code {
    case .originIsDown(let until), .pausing(let until):
      pausedUntil = until
      unsettled.append(claim)
    case .cancelled, .offline: unsettled.append(claim)
    default:
      report.failed += 1
      failed.append(claim.name)
    }
  }
}

extension QueueClaim {
  /// Names the record among all.
  var name: RecordID { RecordID(record.collection, record.key) }
}

extension QueuedRecord {
  /// Names the record among all.
  var name: RecordID { RecordID(collection, key) }
}
