#if Fleet
  import ChildProcess
  import Foundation
  import PostgreSQLServer
  import Testing

  /// Owners of leases that are killed, or stopped for longer than their leases last.
  @Suite(.needsPostgreSQL) struct OwnerTests {
    @Test func `the lease of a killed process ends, and another host fetches`() async throws {
      let fleet = try WorkerFleet(try await TestFleet.make())
      let owner = try await fleet.start(0, "lease=600")
      let other = try await fleet.start(1, "lease=600")
      #expect(try await owner.ask("hold k one") == "fetching")
      await owner.kill()

      #expect(try await other.words("get k two").prefix(3) == ["two", "fetched", "together"])
      #expect(try fleet.fetches["k"] == ["host-0", "host-1"])
      try await fleet.end([other])
    }

    @Test func `a host that is killed whole holds up nobody, and knows all marks when it is back`()
      async throws
    {
      let fleet = try WorkerFleet(try await TestFleet.make())
      let owner = try await fleet.start(0, "lease=600")
      let sibling = try await fleet.start(0, "lease=600")
      let other = try await fleet.start(1, "lease=600")
      #expect(try await sibling.ask("get known one").hasPrefix("one fetched"))
      #expect(try await owner.ask("hold k one") == "fetching")
      await owner.kill()
      await sibling.kill()

      #expect(try await other.ask("get k two").hasPrefix("two fetched together"))
      #expect(try await other.ask("mark known") == "done")
      let back = try await fleet.start(0, "lease=600")
      #expect(try await back.ask("take") == "done")
      #expect(try await back.ask("read known") == "stale one")
      #expect(try await back.ask("get k three").hasPrefix("two found together"))
      try await fleet.end([other, back])
    }

    @Test func `a host that was stopped beyond its lease is fenced off`() async throws {
      let fleet = try WorkerFleet(try await TestFleet.make())
      let late = try await fleet.start(0, "lease=600")
      let other = try await fleet.start(1, "lease=600")
      let third = try await fleet.start(2, "lease=600")
      #expect(try await late.ask("hold k one") == "fetching")
      late.process.signal(SIGSTOP)
      #expect(try await other.ask("get k two").hasPrefix("two fetched together"))
      late.process.signal(SIGCONT)

      // Its own caller gets what it has fetched.
      #expect(try await late.ask("go on").hasPrefix("one fetched"))
      #expect(try await third.ask("get k three").hasPrefix("two found together"))
      // Its landing has come to its end then.
      #expect(try await late.ask("reopen") == "done")
      #expect(try await late.ask("read k") == "stale one")
      #expect(try await late.ask("get k four").hasPrefix("two found together"))
      try await fleet.end([late, other, third])
    }

    /// The history of a key on three hosts whose clocks differ by this number of seconds.
    private func course(_ skew: Int) async throws -> [String] {
      let fleet = try WorkerFleet(try await TestFleet.make())
      let behind = try await fleet.start(0, "skew=\(-skew)")
      let right = try await fleet.start(1)
      let ahead = try await fleet.start(2, "skew=\(skew)")
      var course: [String] = []
      // Without the age, which depends on how busy the machine is.
      for worker in [behind, ahead, right] {
        course.append(try await worker.words("get k one 600").prefix(3).joined(separator: " "))
      }
      for worker in [behind, right, ahead] { course.append(try await worker.ask("read k")) }
      course.append(try await ahead.ask("mark k"))
      for worker in [behind, right] { course.append(try await worker.ask("take")) }
      for worker in [behind, right, ahead] { course.append(try await worker.ask("read k")) }
      for worker in [ahead, right, behind] {
        course.append(try await worker.words("get k two 600").prefix(3).joined(separator: " "))
      }
      // One that was never fresh for long.
      course.append(try await behind.words("get short one 0").prefix(3).joined(separator: " "))
      course.append(try await ahead.words("get short two 0").prefix(3).joined(separator: " "))
      try await fleet.end([behind, right, ahead])
      return course
    }

    @Test func `clocks that are an hour apart change no decision`() async throws {
      let expected = [
        "one fetched together", "one found together", "one found together", "fresh one",
        "fresh one", "fresh one", "done", "done", "done", "stale one", "stale one", "stale one",
        "two fetched together", "two found together", "two found together",
        "one fetched together", "two fetched together",
      ]
      #expect(try await course(0) == expected)
      #expect(try await course(3600) == expected)
    }
  }
#endif
