import FreshStore
import Strategies

/// Work of one of several processes that meet at stores in the moment in which these come to be: one
/// file after the other, at times that all of them know.
///
/// `StoreWorker DATABASE newborn ROLE START` prints what must not be seen, and `done` at the end.
struct NewbornWork {
  static let rounds = 60
  /// From one file to the next.
  private static let pace: Int64 = 20

  let path: String
  let role: String
  /// On the boot clock, in milliseconds.
  let start: Int64

  func run() async throws {
    for round in 0..<Self.rounds {
      let moment = start + Int64(round) * Self.pace
      while SystemClock().now().sinceBoot < moment {}
      let path = "\(path)-\(round)"
      if role == "read" {
        try await read(path)
      } else {
        try await write(path)
      }
    }
    StoreWorker.say("done")
  }

  private func write(_ path: String) async throws {
    let store = try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
    try await store.bytes("values").put([1], for: role)
    try await store.close()
  }

  /// Opens it as often as it takes to find the first record.
  private func read(_ path: String) async throws {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.access = .readOnly
    while true {
      do throws(StoreError) {
        let store = try Store(path: path, configuration: configuration)
        let found = try store.list().count
        try await store.close()
        if found > 0 { return }
      } catch {
        // Not there yet; everything else must not be.
        guard error.code == .cannotOpen, error.sqlite == nil else { throw error }
      }
    }
  }
}
