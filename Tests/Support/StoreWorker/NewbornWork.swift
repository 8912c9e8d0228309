import FreshStore
import Strategies

/// The work of one of several processes that open stores while these are being created: one
/// file after the other, at times that all of them know.
///
/// `StoreWorker DATABASE newborn ROLE START` prints violations, and `done` at the end.
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
      while SystemClock().reading().sinceBoot < moment {}
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

  /// Opens it repeatedly until it finds the first record.
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
        // Not there yet; any other error is a violation.
        guard error.code == .cannotOpen, error.sqlite == nil else { throw error }
      }
    }
  }
}
