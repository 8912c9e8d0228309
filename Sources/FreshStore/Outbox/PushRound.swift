internal import Synchronization

/// What the failures of local writes that go in one request have in common: they pause alike, and so go together
/// again.
final class PushRound: Sendable {
  /// The random number of their pauses, in 0 ..< 1.
  let chance: Double
  private let first = Mutex<ClockReading?>(nil)

  init(chance: Double) {
    self.chance = chance
  }

  /// Members of a request are settled one after the other, well within that time; one that goes on by itself
  /// after a merge may take longer.
  private static let length: Int64 = 1000

  /// The moment from which the pause of a member counts that is found to have failed at `now`.
  func moment(at now: ClockReading) -> ClockReading {
    first.withLock { first in
      let begun = first ?? now
      first = begun
      let isSame = begun.boot == now.boot && now.sinceBoot - begun.sinceBoot < Self.length
      return isSame ? begun : now
    }
  }
}
