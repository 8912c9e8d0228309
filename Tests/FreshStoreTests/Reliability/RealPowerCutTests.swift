#if os(Linux)
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Testing

  /// The power of a real file system is cut under processes that work on a store there: what they said
  /// would survive it has survived it, and what they had not begun is not there.
  ///
  /// Needs root and a loop device. `FRESHSTORE_ROUNDS` cuts it more often.
  @Suite struct RealPowerCutTests {
    private static var rounds: Int {
      ProcessInfo.processInfo.environment["FRESHSTORE_ROUNDS"].flatMap { Int($0) } ?? 3
    }

    @Test(.enabled("needs root and a loop device") { await CutFileSystem.isPossible() })
    func `a power cut takes nothing that was to survive it`() async throws {
      let fileSystem = try await CutFileSystem()
      var workers = EndlessWorkers(on: fileSystem.path + "/store.db")
      do {
        try await Store(path: workers.path).close()
        for _ in 0..<Self.rounds {
          // Who goes on after the cut meets a disk that is gone, and is killed for it.
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
