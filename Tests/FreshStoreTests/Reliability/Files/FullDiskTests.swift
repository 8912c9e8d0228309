import StoreSupport

#if os(Linux)
  import Foundation
  import FreshStoreTesting
  import Strategies
  import Synchronization
  import Testing

  @testable import FreshStore

  /// The contents of a completely full disk are still served.
  @Suite(.enabled("needs root") { await MountedFolder.isPossible() })
  struct FullDiskTests {
    private func open(
      _ path: String, _ access: Configuration.Access = .readWrite,
      taskClock: (any StoreClock)? = nil
    ) throws(StoreError) -> Store {
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.taskClock = taskClock
      configuration.access = access
      return try Store(path: path, configuration: configuration)
    }

    /// - Parameter left: The bytes that stay free.
    private func fill(_ disk: MountedFolder, but left: UInt64 = 0) throws {
      try Data().write(to: URL(fileURLWithPath: disk.file("filler")))
      let filler = try #require(FileHandle(forWritingAtPath: disk.file("filler")))
      // It fails when the disk is full, which is intended.
      while (try? filler.write(contentsOf: Data(repeating: 1, count: 4096))) != nil {}
      try filler.truncate(atOffset: filler.offset() - left)
      try filler.close()
    }

    /// The files left beside a store when its disk became full.
    enum State: String, CaseIterable, Sendable {
      case closed
      /// Another process has it open.
      case inUse
      /// A process was killed that had it open.
      case killed
      /// The same, and the index of its log is gone.
      case withoutIndex
      /// The same, and another process has begun to make that index.
      case withCutIndex
    }

    /// A store with one record and a full disk, and the process that has it open.
    private func make(
      _ state: State, on disk: MountedFolder
    ) async throws -> WorkerProcess? {
      let path = disk.file("store.db")
      let store = try open(path)
      try await store.bytes("values").put(
        [1], for: "old", details: FetchDetails(expiry: .immediately))
      try await store.close()
      // As in another boot: the next open would inspect the store, and record that.
      try RawDatabase(path).execute("UPDATE state SET checked_boot = 1")
      let worker = try await WorkerProcess(commandedOn: path)
      try await worker.run("put new")
      switch state {
      case .closed:
        worker.signal(SIGKILL)
        #expect(await worker.line() == "")
        let again = try open(path)
        try await again.close()
      case .inUse: break
      case .killed, .withoutIndex, .withCutIndex:
        worker.signal(SIGKILL)
        #expect(await worker.line() == "")
      }
      if state == .withoutIndex || state == .withCutIndex {
        try FileManager.default.removeItem(atPath: path + "-shm")
      }
      try fill(disk)
      if state == .withCutIndex { try Data().write(to: URL(fileURLWithPath: path + "-shm")) }
      return state == .inUse ? worker : nil
    }

    @Test(arguments: State.allCases) func `a store on a full disk is read, listed and got`(
      _ state: State
    ) async throws {
      let disk = try await MountedFolder(size: "1m")
      let worker = try await make(state, on: disk)
      let path = disk.file("store.db")

      let reader = try open(path, .readOnly)
      #expect(try reader.bytes("values").read("new").copy?.value == Array("value".utf8))
      #expect(try reader.list().map(\.key) == ["new", "old"])
      #expect(try await reader.check().isSound)
      try await reader.close()

      let store = try open(path)
      let values = try store.bytes("values")
      let fresh = try await values.get("new") { _ in .value([9]) }
      #expect(fresh.value == Array("value".utf8) && fresh.freshness == .fresh)
      // A missing record is fetched and handed out, although it is not stored.
      let fetched = try await values.get("other") { _ in .value([9]) }
      #expect(fetched.value == [9] && fetched.storeFailure != nil)
      if state != .inUse {
        #expect(await storeFailure { try await values.put([2], for: "new") }?.code == .full)
      }

      try await disk.remount("size=8m")
      try await values.put([3], for: "new")
      #expect(try values.read("new").copy?.value == [3])
      #expect(try await store.check().isSound)
      try await store.close()
      withExtendedLifetime(worker) {}
    }

    @Test(arguments: [0, 4096, 65_536] as [UInt64])
    func `one damaged page loses only its own contents`(left: UInt64) async throws {
      let disk = try await MountedFolder(size: "1m")
      let path = disk.file("store.db")
      let store = try open(path)
      let values = try store.bytes("values")
      let value = [UInt8](repeating: 1, count: 1000)
      try await values.put(Dictionary(uniqueKeysWithValues: (100..<300).map { ("\($0)", value) }))
      try await store.close()
      let root = try RawDatabase(path).integer(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'record'")
      // The last page below the root becomes none of any kind (https://sqlite.org/fileformat2.html,
      // section 1.6).
      var file = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let start = (root - 1) * 4096
      let last = file[(start + 8)..<(start + 12)].reduce(0) { $0 << 8 | Int($1) }
      file[(last - 1) * 4096] = 0xFF
      try Data(file).write(to: URL(filePath: path))

      let again = try open(path)
      let damaged = try again.bytes("values")
      try fill(disk, but: left)
      for _ in 0..<2 {
        #expect(throws: StoreError.self) { try damaged.read("299") }
        #expect(try damaged.read("100").copy?.value.count == 1000)
      }
      try await again.close()
      try await disk.remount("size=8m")
      let mended = try open(path)
      #expect(try mended.bytes("values").read("299").copy == nil)
      #expect(mended.health.movedAside.count == 1)
      try await mended.close()
    }

    @Test func `what a log holds that can be moved does not keep a prune from a full disk`()
      async throws
    {
      let disk = try await MountedFolder(size: "4m")
      let store = try open(disk.file("store.db"))
      let values = try store.bytes("values")
      let value = [UInt8](repeating: 1, count: 3000)
      let all = Dictionary(uniqueKeysWithValues: (100..<200).map { ("\($0)", value) })
      try await values.put(all)
      // Then the log has pages alone for which the file has room already.
      _ = await store.storage.database.moveLog()
      for _ in 0..<2 { try await values.put(all) }
      try fill(disk)
      var options = PruneOptions()
      options.maximumCount = 0
      #expect(try await store.prune(options).removed == 100)
      try await values.put([1], for: "new")
      #expect(try await store.check().isSound)
      try await store.close()
    }

    /// A store whose log is empty, on a disk with some room.
    ///
    /// - Parameters:
    ///   - count: The number of its records, all of which have expired.
    ///   - left: The bytes that stay free.
    private func make(
      _ count: Int, of size: Int, but left: UInt64, on disk: MountedFolder
    ) async throws -> Store {
      let store = try open(disk.file("store.db"))
      let values = try store.bytes("values")
      let value = [UInt8](repeating: 1, count: size)
      for start in stride(from: 0, to: count, by: 500) {
        let part = (start..<min(start + 500, count)).map { ("\(100_000 + $0)", value) }
        try await values.put(
          Dictionary(uniqueKeysWithValues: part), details: FetchDetails(expiry: .immediately))
        _ = try await store.makeRoom(for: .prune)
      }
      try fill(disk, but: left)
      return store
    }

    /// Room within its own limit does not help, and making it ends.
    @Test(.timeLimit(.minutes(1)))
    func `a write to a full disk fails, and removes no copy, where room is made for it`()
      async throws
    {
      let disk = try await MountedFolder(size: "4m")
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.maximumSize = 1 << 30
      let store = try Store(path: disk.file("store.db"), configuration: configuration)
      let values = try store.bytes("values")
      for number in 0..<20 {
        _ = try await values.get("\(number)") { _ in .value([UInt8](repeating: 1, count: 40_000)) }
      }
      try fill(disk)

      let failure = await storeFailure {
        try await values.write([UInt8](repeating: 2, count: 400_000), for: "mine")
      }

      #expect(failure?.code == .full)
      #expect(try store.list().count == 20)
      #expect(try await store.check().isSound)
      try await store.close()
    }

    @Test(arguments: [300_000, 900_000, 2_000_000] as [UInt64])
    func `a prune goes on, and counts all, however often its log fills the disk`(
      left: UInt64
    ) async throws {
      let disk = try await MountedFolder(size: "24m")
      let store = try await make(3501, of: 3000, but: left, on: disk)
      let told = Mutex<[Int]>([])
      var options = PruneOptions()
      options.maximumCount = 10
      options.progress = { result in told.withLock { $0.append(result.removed) } }
      let result = try await store.prune(options)
      #expect(result.removed == 3491)
      #expect(result.fileBytes > 1 << 20)
      #expect(try store.countRecords(collection: nil) == 10)
      let progress = told.withLock { $0 }
      #expect(progress == progress.sorted() && progress.last == 3491)
      #expect(try await store.check().isSound)
      try await store.close()
    }

    @Test(arguments: [5_000_000, 6_000_000] as [UInt64])
    func `a sweep goes on, and counts all, however often its log fills the disk`(
      left: UInt64
    ) async throws {
      let disk = try await MountedFolder(size: "24m")
      let store = try await make(9000, of: 1, but: left, on: disk)
      let told = Mutex<[Int]>([])
      var options = SweepOptions()
      options.progress = { result in told.withLock { $0.append(result.marked) } }
      let result = try await store.sweep(options)
      #expect(result.marked == 9000 && result.examined == 9000 && result.isComplete)
      let progress = told.withLock { $0 }
      #expect(progress == progress.sorted() && progress.last == 9000)
      #expect(try await store.sweep().marked == 0)
      #expect(try await store.check().isSound)
      try await store.close()
    }

    @Test func `a long value that finds no room leaves enough to be removed, and is`()
      async throws
    {
      let disk = try await MountedFolder(size: "12m")
      let store = try open(disk.file("store.db"))
      let writer = ContentWriter(store)
      let part = [UInt8](repeating: 1, count: 1 << 20)
      let failure = await storeFailure { for _ in 0..<12 { _ = try await writer.add(part) } }
      #expect(failure?.code == .full)
      #expect(await writer.hasMetFullDisk)
      #expect(try store.statistics().arrivingBytes > 1 << 20)
      await writer.giveUp(isRead: false)
      try await store.collectContents(within: .seconds(60))
      let statistics = try store.statistics()
      #expect(statistics.leftBytes == 0 && statistics.fileBytes < 1 << 20)
      #expect(statistics.logBytes < 1 << 20)
      try await store.bytes("values").put([1], for: "new")
      #expect(try await store.check().isSound)
      try await store.close()
    }

    @Test(arguments: [45_000, 100_000, 200_000] as [UInt64])
    func `blocks that nobody reads are removed in turns for which a nearly full disk has room`(
      left: UInt64
    ) async throws {
      let disk = try await MountedFolder(size: "64m")
      let store = try open(disk.file("store.db"))
      let writer = ContentWriter(store)
      let part = [UInt8](repeating: 1, count: 1 << 20)
      for _ in 0..<12 { _ = try await writer.add(part) }
      await writer.giveUp(isRead: false)
      _ = try await store.makeRoom(for: .sweep)
      try fill(disk, but: left)
      try await store.collectContents(within: .seconds(60))
      #expect(try store.statistics().leftBytes == 0)
      #expect(try store.statistics().fileBytes < 1 << 20)
      #expect(try await store.check().isSound)
      try await store.close()
    }

    /// Ends a read when somebody waits for longer than between two turns.
    private final class ReadEndingClock: StoreClock {
      private let reader: Mutex<RawDatabase>

      init(endingReadOf path: String) throws {
        let database = try RawDatabase(path)
        try database.execute("BEGIN; SELECT count(*) FROM record")
        reader = Mutex(database)
      }

      func reading() -> ClockReading { SystemClock().reading() }

      func sleep(for duration: Duration) async throws {
        guard duration >= .milliseconds(5) else { return }
        try reader.withLock { database in try database.execute("END; BEGIN") }
      }
    }

    @Test(arguments: [150_000, 300_000] as [UInt64])
    func `a prune waits for a reader who keeps the log from a full disk`(
      left: UInt64
    ) async throws {
      let disk = try await MountedFolder(size: "24m")
      try await make(2001, of: 3000, but: left, on: disk).close()
      let path = disk.file("store.db")
      let clock = try ReadEndingClock(endingReadOf: path)
      let store = try open(path, taskClock: clock)
      let told = Mutex(0)
      var options = PruneOptions()
      options.maximumCount = 10
      options.progress = { _ in told.withLock { $0 += 1 } }
      #expect(try await store.prune(options).removed == 1991)
      // Turns of one record each would be as many.
      #expect(told.withLock(\.self) < 500)
      #expect(try await store.check().isSound)
      try await store.close()
    }

    @Test func `many processes can read a store on a full disk at once`() async throws {
      let disk = try await MountedFolder(size: "1m")
      _ = try await make(.withoutIndex, on: disk)
      let path = disk.file("store.db")

      let found = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<16 {
          group.addTask {
            do {
              let store = try open(path)
              let found = try store.bytes("values").read("new").copy?.value
              try await store.close()
              return found == Array("value".utf8)
            } catch {
              Issue.record(error)
              return false
            }
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(found == 16)
    }
  }
#endif
