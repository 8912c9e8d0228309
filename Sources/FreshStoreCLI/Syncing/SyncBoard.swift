#if CommandLine
  internal import FreshStore
  internal import FreshSync

  /// Shows the work of a daemon: to readers of its output, and to `freshstore sync status`.
  struct SyncBoard {
    let lock: SyncLock
    let isJSON: Bool

    /// Shows each status until they end; only other processes miss one that cannot be written down.
    func show(_ statuses: AsyncStream<SyncStatus>) async throws {
      var last: SyncStatus?
      for await status in statuses {
        let answer = SyncWorkOutput(status)
        lock.note(try StandardOutput.encoded(answer))
        if isJSON { try StandardOutput.json(answer) }
        tell(status, after: last)
        last = status
      }
    }

    private func tell(_ status: SyncStatus, after last: SyncStatus?) {
      if case .offline(let reason) = status.phase, !(last?.phase.isOffline ?? false) {
        Console.note("waiting for the network: \(reason)")
      } else if last?.phase.isOffline == true, !status.phase.isOffline {
        Console.note("the network is back")
      }
      if let failure = status.failure, failure != last?.failure { Console.note(failure) }
    }
  }

  extension SyncStatus.Phase {
    var isOffline: Bool { if case .offline = self { true } else { false } }
  }
#endif
