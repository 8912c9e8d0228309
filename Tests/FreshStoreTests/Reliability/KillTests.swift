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
    let folder = try TemporaryFolder()
    var workers = EndlessWorkers(on: folder.file("store.db"))
    try await Store(path: workers.path).close()
    for _ in 0..<Self.rounds {
      try await workers.run(words: 1...40)
      try await workers.verify(after: .kill)
    }
    #expect(workers.ledger.acknowledged > Self.rounds)
  }
}
