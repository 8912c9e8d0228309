internal import FreshStore
internal import Synchronization

/// Which kind of work has the next trial of an origin: each has its turn, so that what keeps failing
/// keeps nothing else from finding out that the source is back. What stands and falls together shares
/// its turns: the origin meant is that of the standing, not of each record.
///
/// The turns outlive a run. A process that has just begun has them from how often the origin has failed,
/// which the store counts: many short runs give everyone a turn, too.
final class Trials: Sendable {
  /// One attempt to find out whether a source is back.
  struct Trial: Sendable {
    let kind: Kind
    /// The origin of the standing.
    let origin: String
  }

  /// What waits for a source, in the order in which it goes.
  enum Kind: Int, CaseIterable {
    case write, list, record
  }

  private let turns = Mutex<[ExactName: Int]>([:])

  /// Whose turn it is at an origin, or would be after so many others that have nothing waiting.
  func turn(at origin: String, after passed: Int, in store: Store) -> Kind {
    let name = ExactName(origin)
    let turn = turns.withLock { $0[name] } ?? failures(of: origin, in: store)
    return Self.kind(at: turn, after: passed)
  }

  /// - Parameter turn: Any number, as a file may say what it likes.
  static func kind(at turn: Int, after passed: Int) -> Kind {
    let count = Kind.allCases.count
    return Kind.allCases[(turn % count + count + passed) % count]
  }

  /// One has been made.
  func note(_ trial: Trial) {
    turns.withLock { $0[ExactName(trial.origin)] = trial.kind.rawValue + 1 }
  }

  private func failures(of origin: String, in store: Store) -> Int {
    do throws(StoreError) {
      return try store.failures(of: origin)
    } catch {
      // Then the first of them begins; what is wrong with the store is said by what is done next.
      return 0
    }
  }
}
