internal import Synchronization

/// The number of calls that have begun and not ended.
final class UnderWay: Sendable {
  private let number = Atomic(0)

  var count: Int { number.load(ordering: .relaxed) }

  func add(_ change: Int) { number.add(change, ordering: .relaxed) }
}
