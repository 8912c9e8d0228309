internal import Synchronization

/// Something that was taken and is given back once: when it is ended, and at the latest when nobody has
/// it any more, however that came about.
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
