internal import Platform

/// Wakes waiters when the refetch queue grows without a change of a record: by stored verdicts, and
/// by sweeps.
package final class QueueSignal: Sendable {
  private let waiters = Multicast<Void, Void>()

  init() {}

  /// One element for one or more occasions since the last read.
  package func occasions() -> AsyncStream<Void> {
    waiters.stream(for: (), buffering: .bufferingNewest(1))
  }

  func wake() { waiters.send { $0 } }
}
