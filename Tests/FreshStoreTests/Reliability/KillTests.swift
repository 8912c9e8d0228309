import Foundation
import FreshStore
import FreshStoreTesting
import Testing

/// Processes on one file are killed at any moment, all of them, repeatedly: all their acknowledged changes
/// are there, and no change that they had not begun.
///
/// `FRESHSTORE_ROUNDS` kills them more often.
@Suite struct KillTests {
  private static var rounds: Int {
    ProcessInfo.processInfo.environment["FRESHSTORE_ROUNDS"].flatMap { Int($0) } ?? 25
  }

  @Test func `a killed process loses no acknowledged change`() async throws {
    var (acknowledged, left) = (0, Self.rounds)
    // The claims of a killed pusher wait for a minute: a file gets slower with every round.
    while left > 0 {
      let rounds = min(left, 50)
      acknowledged += try await kill(rounds)
      left -= rounds
    }
    print("\(acknowledged) changes were acknowledged in \(Self.rounds) rounds, none is lost")
    #expect(acknowledged > Self.rounds)
  }

  /// Kills the processes that work on one file, repeatedly; returns the number of acknowledged changes.
  private func kill(_ rounds: Int) async throws -> Int {
    let folder = try TemporaryFolder()
    var workers = EndlessWorkers(on: folder.file("store.db"))
    try await Store(path: workers.path).close()
    for _ in 0..<rounds {
      try await workers.run(words: 1...40)
      try await workers.verify(after: .kill)
    }
    return workers.ledger.acknowledged
  }
}
