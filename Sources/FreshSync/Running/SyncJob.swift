internal import FreshStore
internal import Strategies
internal import Synchronization

/// One fetch, push or list that is to run now.
struct SyncJob: Sendable {
  let account: RunProgress.Account
  /// Its slot.
  let reservation: Reservation
  /// The trial that it makes, if its source is on trial.
  var trial: Trials.Trial?
  /// The records it fetches.
  var records: [RecordID] = []
  /// The records whose local writes it pushes.
  var pushes: [RecordID] = []
  /// The state of its source.
  let sourceState: @Sendable () throws(StoreError) -> SourceState
  let run: @Sendable () async -> JobEnd

  var isPush: Bool { !pushes.isEmpty }
}

/// The result of one fetch, push or list.
struct JobEnd: Sendable {
  var report = SyncReport()
  /// The claims that were not used, and are to be put back into the queue.
  var unsettled: [DueRecord] = []
  /// The end of the origin's pause, if that prevented the attempt.
  var pausedUntil: Timestamp?
  /// The records that were tried and failed: a run that ends when all is done does not try them again.
  var failed: [RecordID] = []
  /// The failure after which the store pauses. A failure of one record, or one list, is only counted.
  private(set) var storeFailure: StoreError?
  /// True for a list that was restarted or forgotten meanwhile, or that a wipe has removed.
  var isOvertaken = false

  /// True when some of the work is due again at once.
  var isUnsettled: Bool { !unsettled.isEmpty }
}

extension JobEnd {
  /// Notes that the store failed to do the work.
  mutating func note(_ failure: StoreError?) {
    if let failure, failure.isOfFile { storeFailure = failure }
  }

  /// Notes the result of a refetch for one record.
  mutating func note<Value>(_ result: Result<Answer<Value>, GetError>?, _ claim: DueRecord) {
    switch result {
    case .success(let answer): note(answer, claim)
    case .failure(let error): note(error, claim)
    case nil: unsettled.append(claim)
    }
  }

  /// Notes the result of a local write.
  mutating func note<Value>(_ result: Result<PushOutcome<Value>, StoreError>?) {
    switch result {
    case .success(.accepted): report.pushed += 1
    case .success(.discarded): report.conflicts += 1
    case .success(.parked): report.parked += 1
    case .success(.deferred(_, _, let failure)):
      let wasTried = failure.map { $0.code != .held } ?? false
      if wasTried { report.failed += 1 } else { report.deferred += 1 }
    case .success(.superseded), nil: break
    case .failure(let error):
      note(error)
      report.failed += 1
    }
  }

  /// Notes the result of following a list.
  mutating func note(_ result: Result<FollowedList, GetError>) {
    switch result {
    case .success: report.lists += 1
    case .failure(let error):
      switch (error.code, error.fetchFailure?.code) {
      case (_, .originIsDown(let until)), (_, .pausing(let until)): pausedUntil = until
      case (.cancelled, _), (.offline, _), (_, .offline), (_, .held): break
      case (.store, _)
      where error.storeFailure?.code == .superseded || error.storeFailure?.code == .wiped:
        isOvertaken = true
      default:
        note(error.storeFailure)
        report.failed += 1
      }
    }
  }

  private mutating func note<Value>(_ answer: Answer<Value>, _ claim: DueRecord) {
    if let failure = answer.fetchFailure { return note(failure, claim) }
    switch answer.storeFailure?.code {
    // A host that went on without its fleet has fetched the record.
    case nil, .superseded, .pendingWrite, .sharedTier: break
    default:
      note(answer.storeFailure)
      report.failed += 1
      failed.append(claim.name)
      return
    }
    if answer.freshness == .revalidated { report.notModified += 1 } else { report.fetched += 1 }
  }

  private mutating func note(_ error: GetError, _ claim: DueRecord) {
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

  private mutating func note(_ failure: FetchFailure, _ claim: DueRecord) {
    switch failure.code {
    // The record has its own place in the queue.
    case .pausing where failure.isOfOneRecord: failed.append(claim.name)
    case .originIsDown(let until), .pausing(let until):
      pausedUntil = until
      unsettled.append(claim)
    case .cancelled, .offline, .held: unsettled.append(claim)
    default:
      report.failed += 1
      failed.append(claim.name)
    }
  }
}

extension DueRecord {
  var name: RecordID { RecordID(collection, key) }
}

extension QueuedRecord {
  var name: RecordID { RecordID(collection, key) }
}

/// The jobs that run, and the time since when their sources have been out of reach.
final class RunningJobs: Sendable {
  private struct Entry {
    let task: Task<JobEnd, Never>
    let sourceState: @Sendable () throws(StoreError) -> SourceState
    /// On the boot clock; `nil` while the source can be reached.
    var outOfReachSince: Duration?
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  /// Runs a job to its end, or until it is cancelled.
  func run(_ job: SyncJob) async -> JobEnd {
    // Registered from its first moment on, as it may have to be given up right away.
    let (task, number) = state.withLock { state in
      let task = Task { await job.run() }
      state.next += 1
      state.entries[state.next] = Entry(task: task, sourceState: job.sourceState)
      return (task, state.next)
    }
    defer { state.withLock { _ = $0.entries.removeValue(forKey: number) } }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Every source can be reached.
  func noteReachable() {
    state.withLock { state in
      for number in state.entries.keys { state.entries[number]?.outOfReachSince = nil }
    }
  }

  /// Cancels the jobs whose sources have been out of reach for so long. Returns the time until the next job is due
  /// for that.
  ///
  /// A job that waits for an answer over a lost network would still wait when the network is back.
  func giveUp(after patience: Duration, at now: ClockReading) throws(StoreError) -> Duration? {
    var next: Duration?
    for (number, entry) in state.withLock(\.entries) {
      guard case .offline = try entry.sourceState() else {
        note(nil, of: number)
        continue
      }
      let since = entry.outOfReachSince ?? now.steady
      let left = since + patience - now.steady
      if left > .zero {
        note(since, of: number)
        next = min(next ?? left, left)
      } else {
        entry.task.cancel()
      }
    }
    return next
  }

  private func note(_ moment: Duration?, of number: Int) {
    state.withLock { $0.entries[number]?.outOfReachSince = moment }
  }
}
