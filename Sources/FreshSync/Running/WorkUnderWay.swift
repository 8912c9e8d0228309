internal import FreshStore
internal import Strategies
internal import Synchronization

/// The jobs that run, and the time since when their sources have been out of reach.
final class WorkUnderWay: Sendable {
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
    // Known from its first moment on: it may have to be given up right away.
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

  /// Cancels the jobs whose sources have been out of reach for so long: a job that waits for an
  /// answer over a lost network would still wait when it is back. Returns the time until the next
  /// of them is due for that.
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
