import Foundation
import FreshStore
import FreshStoreTesting
import Testing

/// Processes on one file are killed at any moment, all of them, over and over: what they said they had done
/// is there, and nothing that they had not begun.
///
/// `FRESHSTORE_ROUNDS` kills them more often.
@Suite struct KillTests {
  private static var rounds: Int {
    ProcessInfo.processInfo.environment["FRESHSTORE_ROUNDS"].flatMap { Int($0) } ?? 25
  }

  @Test func `whoever is killed loses nothing that was acknowledged`() async throws {
    var (acknowledged, left) = (0, Self.rounds)
    // What a killed pusher had claimed waits for a minute: a file gets slower with every round.
    while left > 0 {
      let rounds = min(left, 50)
      acknowledged += try await kill(rounds)
      left -= rounds
    }
    print("\(acknowledged) changes were acknowledged in \(Self.rounds) rounds, none is lost")
    #expect(acknowledged > Self.rounds)
  }

  /// Kills what works on one file, over and over; returns how much was acknowledged.
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
