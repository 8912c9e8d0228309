internal import FreshStore
internal import Synchronization

/// The kind of work with the next trial of an origin: each has its turn, so that failing work does
/// not keep another kind from finding out that the source is back. Records with one availability share
/// its turns: the origin is that of the availability, not of each record.
///
/// The turns outlive a run. A new process derives them from the number of the origin's failures,
/// which the store counts: many short runs give every kind a turn, too.
final class Trials: Sendable {
  /// One attempt to find out whether a source is back.
  struct Trial: Sendable {
    let kind: Kind
    /// The origin of the availability.
    let origin: String
  }

  /// The kinds of work that wait for a source, in the order of their turns.
  enum Kind: Int, CaseIterable {
    case write, list, record
  }

  private let turns = Mutex<[ExactName: Int]>([:])

  /// The kind whose turn it is at an origin, after so many kinds that have nothing waiting.
  func turn(at origin: String, after passed: Int, in store: Store) -> Kind {
    let name = ExactName(origin)
    let turn = turns.withLock { $0[name] } ?? failures(of: origin, in: store)
    return Self.kind(at: turn, after: passed)
  }

  /// - Parameter turn: Any number, as a file may hold any.
  static func kind(at turn: Int, after passed: Int) -> Kind {
    let count = Kind.allCases.count
    return Kind.allCases[(turn % count + count + passed) % count]
  }

  /// A trial was made.
  func note(_ trial: Trial) {
    turns.withLock { $0[ExactName(trial.origin)] = trial.kind.rawValue + 1 }
  }

  private func failures(of origin: String, in store: Store) -> Int {
    do throws(StoreError) {
      return try store.failures(of: origin)
    } catch {
      // The first kind begins then; the next operation reports the store's failure.
      return 0
    }
  }
}
