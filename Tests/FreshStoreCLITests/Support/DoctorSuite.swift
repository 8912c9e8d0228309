#if CommandLine
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Glibc
  import Strategies
  import Testing

  /// Tests of the doctor's report about a store.
  protocol DoctorSuite {}

  extension DoctorSuite {
    func report(_ playground: Playground) async throws -> DoctorReport {
      try DoctorReport(await playground.run("doctor", "127.0.0.1", "--json"))
    }

    func report(path: String, in playground: Playground) async throws -> DoctorReport {
      try DoctorReport(await playground.runAlone(["doctor", "127.0.0.1", "--json", "--db", path]))
    }

    /// Makes a store with one record.
    func makeStore(
      _ playground: Playground, clock: any StoreClock = .system,
      _ body: (Store) async throws -> Void = { _ in }
    ) async throws {
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.clock = clock
      let store = try Store(path: playground.database, configuration: configuration)
      try await store.bytes("default").put([1], for: "k")
      try await body(store)
      try await store.close()
    }

    /// Every file of the store, with its checksum, size, mode and time of change.
    /// Another process looks: closing a file here would drop the locks of a store that is open
    /// here.
    func state(_ playground: Playground) async throws -> String {
      try await playground.runShell(
        """
        cd "$folder"
        for file in store*; do test -e "$file" && cksum "$file" && stat -c '%n %s %a %y' "$file"; done
        """
      ).text
    }

    func expectSound(_ playground: Playground) async throws {
      let store = try Store(path: playground.database)
      #expect(try await store.check().isSound)
      try await store.close()
    }

    /// Takes a lock as SQLite does.
    func lock(_ descriptor: Int32, _ kind: Int32, _ start: Int, _ count: Int) throws {
      var range = flock()
      range.l_type = Int16(kind)
      range.l_whence = Int16(SEEK_SET)
      range.l_start = start
      range.l_len = count
      try #require(unsafe fcntl(descriptor, F_SETLK, &range) == 0)
    }
  }
#endif
