import StoreSupport

#if os(Linux)
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Strategies
  import Testing

  /// The contents of a disk that is mounted read-only, as after a disk error, are still served.
  @Suite(.enabled("needs root") { await MountedFolder.isPossible() })
  struct ReadOnlyDiskTests {
    private func open(
      _ path: String, _ access: Configuration.Access = .readWrite
    ) throws(StoreError) -> Store {
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.access = access
      return try Store(path: path, configuration: configuration)
    }

    /// The files left beside a store when its disk was mounted again.
    enum State: String, CaseIterable, Sendable {
      case closed
      /// A process was killed that had it open.
      case killed
      /// The same, and the index of its log is gone.
      case withoutIndex
    }

    private func make(_ state: State, on disk: MountedFolder) async throws {
      let path = disk.file("store.db")
      let store = try open(path)
      try await store.bytes("values").put([1], for: "old")
      try await store.close()
      guard state != .closed else { return try await disk.remount("ro") }
      let worker = try await WorkerProcess(commandedOn: path)
      try await worker.run("put new")
      worker.signal(SIGKILL)
      #expect(await worker.line() == "")
      if state == .withoutIndex {
        try FileManager.default.removeItem(atPath: path + "-shm")
      }
      try await disk.remount("ro")
    }

    @Test(arguments: State.allCases) func `a store on a read-only disk is read, listed and got`(
      _ state: State
    ) async throws {
      let disk = try await MountedFolder(size: "8m")
      try await make(state, on: disk)
      let path = disk.file("store.db")
      let expected = state == .closed ? ["old"] : ["new", "old"]

      let reader = try open(path, .readOnly)
      #expect(try reader.list().map(\.key) == expected)
      try await reader.close()

      let store = try open(path)
      let values = try store.bytes("values")
      let fresh = try await values.get("old") { _ in .value([9]) }
      #expect(fresh.value == [1] && fresh.freshness == .fresh)
      // A missing record is fetched and handed out, although it is not stored.
      let fetched = try await values.get("other") { _ in .value([9]) }
      #expect(fetched.value == [9] && fetched.storeFailure?.code == .readOnly)
      #expect(await storeFailure { try await values.put([2], for: "old") }?.code == .readOnly)

      try await disk.remount("rw")
      try await values.put([3], for: "old")
      #expect(try values.read("old").copy?.value == [3])
      #expect(try store.list().map(\.key) == expected)
      #expect(try await store.check().isSound)
      try await store.close()
    }
  }
#endif
