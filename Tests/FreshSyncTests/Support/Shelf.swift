import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies

/// A store with stale records, a source for them, and a synchronizer between the two.
struct Shelf {
  let temporary: TemporaryStore
  let numbers: RecordCollection<Int>
  let origin: ScriptedOrigin<Int>
  let synchronizer: Synchronizer

  var store: Store { temporary.store }
  var clock: ManualClock { temporary.clock }

  /// Stores the keys `1` to `count`, which expired one second after the other, and marks them. The
  /// source answers with ten times the number.
  init(
    _ temporary: TemporaryStore, stale count: Int, policy: Policy = .offlineFirst,
    options: SyncOptions = SyncOptions(), source: (Int) -> String? = { _ in nil }
  ) async throws {
    self.temporary = temporary
    numbers = try temporary.store.collection("numbers", of: Int.self, policy: policy)
    origin = ScriptedOrigin { previous in .value((Int(previous.key) ?? 0) * 10) }
    synchronizer = Synchronizer(temporary.store, options: options)
    let origin = origin
    synchronizer.add(numbers) { try await origin.fetch($0) }
    try await fill(count, source: source)
  }

  private func fill(_ count: Int, source: (Int) -> String?) async throws {
    guard count > 0 else { return }
    for number in 1...count {
      try await numbers.put(
        number, for: "\(number)",
        details: FetchDetails(expiry: .after(.seconds(number)), source: source(number)),
        durability: .normal)
    }
    clock.advance(by: .seconds(count))
    _ = try await store.sweep()
  }

  /// The requested keys, in order.
  var asked: [String] { origin.requests.map(\.key) }

  /// Runs the synchronizer while `body` runs, and then stops it.
  func running<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    async let run: Void = synchronizer.run()
    let result = try await body()
    synchronizer.requestStop()
    try await run
    return result
  }

  /// Returns the first status that satisfies the condition.
  func status(_ isWanted: (SyncStatus) -> Bool) async -> SyncStatus {
    for await status in synchronizer.statuses where isWanted(status) { return status }
    return synchronizer.status
  }

  /// Returns once no work is left to do now.
  @discardableResult
  func idle() async -> SyncStatus {
    await status { if case .idle = $0.phase { true } else { false } }
  }
}
