internal import Synchronization

/// How much was stored since room was made for it last. Making room costs a look at all that is there: it is due once so
/// much has come that the limit may be passed by a small part, and not for each answer.
final class StoredShare: Sendable {
  private let stored = Mutex(0)
  private let share: Int?

  /// - Parameter limit: The most bytes that may be there; `nil` for any number.
  init(of limit: Int?) {
    share = limit.map { max($0 / 16, 1 << 20) }
  }

  /// Adds bytes; true where room is to be made now.
  func add(_ count: Int) -> Bool {
    guard let share else { return false }
    return stored.withLock { stored in
      stored += count
      guard stored >= share else { return false }
      stored = 0
      return true
    }
  }
}
