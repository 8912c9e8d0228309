#if os(Linux)
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Testing

  /// The power of a real file system is cut under processes that work on a store there: all changes reported
  /// as durable have survived it, and no change appears that had not begun.
  ///
  /// Needs root and a loop device. `FRESHSTORE_ROUNDS` sets the number of cuts.
  @Suite struct RealPowerCutTests {
    private static var rounds: Int {
      ProcessInfo.processInfo.environment["FRESHSTORE_ROUNDS"].flatMap { Int($0) } ?? 3
    }

    @Test(.enabled("needs root and a loop device") { await CutFileSystem.isPossible() })
    func `a power cut undoes no durable change`() async throws {
      let fileSystem = try await CutFileSystem()
      var workers = EndlessWorkers(on: fileSystem.path + "/store.db")
      do {
        try await Store(path: workers.path).close()
        for _ in 0..<Self.rounds {
          // A process that continues after the cut finds its disk gone, and is killed for it.
          try await workers.run(words: 20...60, cutting: { fileSystem.cutPower() })
          try await fileSystem.restore()
          try await workers.verify(after: .powerCut)
        }
      } catch {
        try await fileSystem.unmount()
        throw error
      }
      try await fileSystem.unmount()
    }
  }
#endif
