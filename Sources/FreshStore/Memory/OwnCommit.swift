internal import Synchronization

/// Whether the store itself is committing: changes in the file meanwhile are its own.
final class OwnCommit: Sendable {
  private let state = Atomic<Bool>(false)

  /// Set before the header changes, so that a thread that sees the new header sees this as well.
  var isUnderWay: Bool {
    get { state.load(ordering: .acquiring) }
    set { state.store(newValue, ordering: .releasing) }
  }
}
