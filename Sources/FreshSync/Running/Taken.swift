internal import Synchronization

/// A reservation that is given back once: when it is ended, or at the latest when its last owner
/// releases it.
final class Taken: Sendable {
  private let giveBack: Mutex<(@Sendable () -> Void)?>

  init(giveBack: @escaping @Sendable () -> Void) {
    self.giveBack = Mutex(giveBack)
  }

  deinit { end() }

  func end() {
    let giveBack = giveBack.withLock { giveBack in
      defer { giveBack = nil }
      return giveBack
    }
    giveBack?()
  }
}
