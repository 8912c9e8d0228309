internal import Synchronization

/// The bytes of answers that are on their way into the store, which memory holds until they are whole.
final class StorageBudget: Sendable {
  private let taken = Atomic<Int>(0)
  let limit: Int

  init(limit: Int) { self.limit = limit }

  /// False when there is no room for them.
  func take(_ count: Int) -> Bool {
    let total = taken.add(count, ordering: .relaxed).newValue
    guard total > limit else { return true }
    taken.subtract(count, ordering: .relaxed)
    return false
  }

  func giveBack(_ count: Int) { taken.subtract(count, ordering: .relaxed) }
}
