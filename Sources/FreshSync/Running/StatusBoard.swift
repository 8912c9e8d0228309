internal import Platform
internal import Synchronization

/// The present status, and the readers that wait for the next.
final class StatusBoard: Sendable {
  private let present = Mutex(SyncStatus())
  private let readers = Multicast<SyncStatus, Void>()

  var status: SyncStatus { present.withLock { $0 } }

  func show(_ status: SyncStatus) {
    readers.send(
      preparing: {
        present.withLock { present in
          defer { present = status }
          return present != status
        }
      }
    ) { _ in status }
  }

  func statuses() -> AsyncStream<SyncStatus> {
    readers.stream(for: (), buffering: .bufferingNewest(1), first: { _ in status })
  }
}
