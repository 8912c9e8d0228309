#if Fleet
  import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  @Suite(.needsPostgreSQL) struct ClaimingTests {
    private let key = SharedKey("notes", "1")

    @Test func `a free key is granted, and then held by its owner`() async throws {
      let fleet = try await TestFleet.make()
      let (first, second) = (try fleet.host(), try fleet.host())
      guard case .granted(let lease) = try await first.claim(key, owner: "one") else {
        Issue.record("not granted")
        return
      }
      #expect(lease.number == 1)
      guard case .held(let owner, let remaining) = try await second.claim(key) else {
        Issue.record("not held")
        return
      }
      #expect(owner == "one")
      #expect(remaining > .seconds(30) && remaining <= .seconds(60))
    }

    @Test func `a look finds what is there, and takes no lease`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      func look() async throws -> SharedClaimResult? {
        let claim = SharedClaim(key, takesLease: false)
        return try await host.claim([claim], owner: "one", for: .seconds(60), since: nil).value[key]
      }
      #expect(try await look() == nil)
      #expect(try await fleet.sql("SELECT count(*) FROM freshstore.lease") == ["0"])
      let lease = try await host.lease(key)
      guard case .held = try await look() else {
        Issue.record("not held")
        return
      }
      _ = try await host.land([(lease, SharedRecord(value: [1]))], since: nil)
      guard case .found = try await look() else {
        Issue.record("not found")
        return
      }
      _ = try await host.mark([.key(key)], reason: "", since: nil)
      #expect(try await look() == nil)
    }

    @Test func `of claims together those that look take no lease`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let (looked, taken) = (SharedKey("notes", "1"), SharedKey("notes", "2"))
      let claims = [SharedClaim(looked, takesLease: false), SharedClaim(taken)]
      let results = try await host.claim(claims, owner: "one", for: .seconds(60), since: nil).value
      #expect(Set(results.keys) == [taken])
      #expect(try await fleet.sql("SELECT count(*) FROM freshstore.lease") == ["1"])
    }

    /// Has a host claim a key whose ended lease another transaction is about to remove; the claim has looked for a
    /// record by the time that the other one commits.
    private func claimAmid(
      _ fleet: TestFleet, by host: FleetClient, commit: String
    ) async throws -> SharedClaimResult? {
      _ = try await fleet.host().lease(key)
      try await fleet.sql(
        "UPDATE freshstore.lease SET granted_at = granted_at - interval '1 hour', until = until - interval '1 hour'"
      )
      try await fleet.server.hold(
        fleet.database, "DELETE FROM freshstore.lease; \(commit)", database: fleet.database)
      let claim = Task { try await host.claim(key, owner: "two") }
      try await fleet.untilBlocked()
      try await fleet.server.commit(fleet.database, database: fleet.database)
      return try await claim.value
    }

    @Test func `a record that lands while its lease is awaited is found`() async throws {
      let fleet = try await TestFleet.make()
      // It gives the lease back in the background.
      let host = try fleet.host()
      let result = try await claimAmid(
        fleet, by: host,
        commit: """
          INSERT INTO freshstore.record (collection, key, edition, number, owner, is_absent, updated_at, tags, stamps, value)
          VALUES ('notes', '1', 7, 1, 'one', false, clock_timestamp(), '{}', '', 'x')
          """)
      guard case .found(let finding) = result else {
        Issue.record("not found: \(String(describing: result))")
        return
      }
      #expect(finding.edition == 7 && finding.record.value == Array("x".utf8))
      while try await fleet.sql("SELECT count(*) FROM freshstore.lease") != ["0"] {}
      withExtendedLifetime(host) {}
    }

    @Test func `a lease that its owner gives back while it is awaited is granted`() async throws {
      let fleet = try await TestFleet.make()
      guard
        case .granted = try await claimAmid(
          fleet, by: fleet.host(), commit: "SELECT 1")
      else {
        Issue.record("not granted")
        return
      }
      #expect(
        try await fleet.sql("SELECT encode(owner, 'escape') FROM freshstore.lease") == ["two"])
    }

    @Test func `sixteen hosts that claim a key at once get one lease`() async throws {
      let fleet = try await TestFleet.make()
      let hosts = try (0..<16).map { _ in try fleet.host { $0.connections = 1 } }
      for round in 0..<20 {
        let key = SharedKey("notes", "\(round)")
        let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
          for (number, host) in hosts.enumerated() {
            group.addTask {
              guard case .granted = try await host.claim(key, owner: "\(number)") else {
                return false
              }
              return true
            }
          }
          return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(granted == 1)
      }
    }

    @Test func `sixteen hosts fetch each of many keys once`() async throws {
      let fleet = try await TestFleet.make()
      let hosts = try (0..<16).map { _ in try fleet.host { $0.connections = 1 } }
      let keys = (0..<50).map { SharedKey("notes", "\($0)") }
      let fetches = try await withThrowingTaskGroup(of: Int.self) { group in
        for host in hosts {
          group.addTask {
            var (left, fetches) = (Set(keys), 0)
            while !left.isEmpty {
              let results = try await host.claim(
                left.map { SharedClaim($0) }, owner: "", for: .seconds(60), since: nil
              ).value
              var landings: [(lease: SharedLease, record: SharedRecord)] = []
              for (key, result) in results {
                switch result {
                case .found: left.remove(key)
                case .granted(let lease): landings.append((lease, SharedRecord(value: key.key)))
                case .held, .paused: break
                }
              }
              fetches += landings.count
              if !landings.isEmpty { _ = try await host.land(landings, since: nil) }
            }
            return fetches
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(fetches == keys.count)
    }

    /// Sets the database's clock back, as far as one column tells.
    private func setBack(
      _ fleet: TestFleet, _ table: String, _ columns: [String], by seconds: Int
    ) async throws {
      let later = columns.map { "\($0) = \($0) + interval '\(seconds) seconds'" }
      try await fleet.sql("UPDATE freshstore.\(table) SET \(later.joined(separator: ", "))")
    }

    @Test(arguments: [(3, true), (60, false)])
    func `a record from before the clock was set back is handed out where its age is known`(
      seconds: Int, isFound: Bool
    ) async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      try await host.fetch(key, SharedRecord(value: [1], lifetime: .seconds(3600)))
      try await setBack(fleet, "record", ["updated_at"], by: seconds)

      let finding = try await host.found(key)

      #expect((finding != nil) == isFound)
      #expect(finding?.record.age ?? .zero == .zero)
    }

    @Test func `no record is taken for younger once the clock has come to its time again`()
      async throws
    {
      let fleet = try await TestFleet.make()
      let (host, other) = (try fleet.host(), try fleet.host())
      let start = try await host.position()
      try await host.fetch(key, SharedRecord(value: [1], lifetime: .seconds(36_000)))
      let lease = try await host.lease(SharedKey("notes", "2"))
      // An hour has passed by then, and the clock was set back by that.
      try await setBack(fleet, "counter", ["clock"], by: 3600)

      #expect(try await host.found(key) == nil)

      _ = try await other.news(since: nil)
      let count = "SELECT count(*) FROM freshstore.mark WHERE reason LIKE '%set back%'::bytea"
      while try await fleet.sql(count) != ["1"] {}
      #expect(try await host.news(since: start).marks?.map(\.scope) == [.all])
      #expect(try await host.found(key) == nil)
      // The mark covers the record of an older lease. The mark does not cover a newer record.
      _ = try await host.land([(lease, SharedRecord(value: [2]))], since: nil)
      #expect(try await host.found(lease.key) == nil)
      try await host.fetch(key, SharedRecord(value: [1]))
      #expect(try await other.found(key) != nil)
      #expect(try await fleet.sql(count) == ["1"])
    }

    @Test func `the database's time is noted while hosts ask`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      try await setBack(fleet, "counter", ["clock"], by: -3600)
      let isNoted =
        "SELECT clock > clock_timestamp() - interval '60 seconds' FROM freshstore.counter"

      _ = try await host.news(since: nil)

      while try await fleet.sql(isNoted) != ["t"] {}
    }

    @Test(arguments: [(3, true), (60, false)])
    func `a lease from before the clock was set back ends`(seconds: Int, isHeld: Bool) async throws
    {
      let fleet = try await TestFleet.make()
      let (first, second) = (try fleet.host(), try fleet.host())
      let lease = try await first.lease(key)
      try await setBack(fleet, "lease", ["granted_at", "until"], by: seconds)

      let result = try await second.claim(key)

      if case .held = result { #expect(isHeld) } else { #expect(!isHeld) }
      let landed = try await first.land([(lease, SharedRecord(value: [1]))], since: nil).value
      #expect(landed.isEmpty != isHeld)
    }

    @Test func `a pause holds also where its lease is from before the clock was set back`()
      async throws
    {
      let fleet = try await TestFleet.make()
      let (first, second) = (try fleet.host(), try fleet.host())
      let lease = try await first.lease(key)
      try await setBack(fleet, "lease", ["granted_at", "until"], by: 3600)
      try await first.release([lease], pausing: SharedPause(.seconds(60), reason: "it fails"))

      guard case .paused = try await second.claim(key) else {
        Issue.record("not paused")
        return
      }
      try await setBack(fleet, "lease", ["granted_at", "until", "paused_until"], by: 3600)
      guard case .granted = try await second.claim(key) else {
        Issue.record("not granted")
        return
      }
    }

    @Test func `a fresh record is found with its stamps, by every host`() async throws {
      let fleet = try await TestFleet.make()
      let (first, second) = (try fleet.host(), try fleet.host())
      let record = SharedRecord(
        value: [1, 0, 2], tags: [[0], [], Array("tag".utf8)], stamps: [9, 0], age: .seconds(5),
        lifetime: .seconds(100))
      try await first.fetch(key, record)
      let finding = try #require(try await second.found(key))
      #expect(finding.record.value == [1, 0, 2])
      #expect(finding.record.tags == record.tags)
      #expect(finding.record.stamps == [9, 0])
      #expect(finding.record.lifetime == .seconds(100))
      #expect(finding.record.age >= .seconds(5) && finding.record.age < .seconds(60))
      #expect(finding.owner == "host")
      #expect(!finding.record.isAbsent)
    }

    @Test func `an absent record is found, too`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      try await host.fetch(key, SharedRecord(value: nil, isAbsent: true))
      let finding = try #require(try await host.found(key))
      #expect(finding.record.isAbsent)
      #expect(finding.record.value == nil)
    }

    @Test func `a record past its lifetime is not found`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      try await host.fetch(
        key, SharedRecord(value: [1], age: .seconds(10), lifetime: .seconds(10)))
      guard case .granted = try await host.claim(key) else {
        Issue.record("not granted")
        return
      }
    }

    @Test func `an edition that the host knows is not found again`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      try await host.fetch(key, SharedRecord(value: [1]))
      let edition = try #require(try await host.found(key)).edition
      guard case .granted = try await host.claim(key, known: edition) else {
        Issue.record("not granted")
        return
      }
    }

    @Test func `a host that always asks is granted a key with a fresh record`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      try await host.fetch(key, SharedRecord(value: [1]))
      let claim = SharedClaim(key, asksAlways: true)
      guard
        case .granted = try await host.claim([claim], owner: "", for: .seconds(9), since: nil)
          .value[key]
      else {
        Issue.record("not granted")
        return
      }
    }

    @Test func `a key may be claimed twice in one call`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let results = try await host.claim(
        [SharedClaim(key), SharedClaim(key)], owner: "", for: .seconds(9), since: nil
      ).value
      #expect(results.count == 1)
    }

    @Test(arguments: [
      SharedKey(collection: [0], key: [0, 1, 0]), SharedKey(collection: [0xff, 0xfe], key: [0xc0]),
      SharedKey(collection: [], key: []),
      SharedKey(collection: [1], key: .init(repeating: 0, count: 1024)),
      SharedKey("a'; DROP TABLE freshstore.record; --", "\\x00"),
    ])
    func `keys are bytes`(_ key: SharedKey) async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      try await host.fetch(key, SharedRecord(value: key.key))
      let finding = try #require(try await host.found(key))
      #expect(finding.record.value == key.key)
      let position = try await host.position()
      let answer = try await host.mark([.key(key)], reason: "\0", since: position)
      #expect(answer.news.marks?.map(\.scope) == [.key(key)])
      #expect(try await host.found(key) == nil)
    }

    @Test func `keys that differ in a last NUL are two`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      try await host.fetch(SharedKey("notes", "a\0"), SharedRecord(value: [1]))
      #expect(try await host.found(SharedKey("notes", "a")) == nil)
    }

    @Test func `a key that is too long is refused`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let key = SharedKey(collection: [], key: .init(repeating: 1, count: 1025))
      let error = await failure { () async throws(SharedTierError) in _ = try await host.claim(key)
      }
      #expect(error?.code == .invalidArgument)
    }

    @Test func `the pause of a key holds all but those who ignore it`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let lease = try await host.lease(key)
      try await host.release([lease], pausing: SharedPause(.seconds(60), reason: "it is down"))
      guard case .paused(let remaining, let reason) = try await host.claim(key) else {
        Issue.record("not paused")
        return
      }
      #expect(reason == "it is down")
      #expect(remaining > .seconds(30) && remaining <= .seconds(60))
      let hurried = SharedClaim(key, ignoresPause: true)
      guard
        case .granted = try await host.claim([hurried], owner: "", for: .seconds(9), since: nil)
          .value[key]
      else {
        Issue.record("not granted")
        return
      }
    }

    @Test func `an origin's pause is seen by all until it is ended`() async throws {
      let fleet = try await TestFleet.make()
      let (first, second) = (try fleet.host(), try fleet.host())
      try await first.pause("https://a.example", SharedPause(.seconds(60), reason: "503"))
      try await first.pause("https://a.example", SharedPause(.seconds(1), reason: "shorter"))
      let pauses = try await second.pauses(of: ["https://a.example", "https://b.example"])
      #expect(pauses.mapValues(\.reason) == ["https://a.example": "503"])
      try await second.pause("https://a.example", nil)
      #expect(try await first.pauses(of: ["https://a.example"]).isEmpty)
    }

    @Test(arguments: [true, false])
    func `pauses are ended, and leases stay`(endsAll: Bool) async throws {
      let fleet = try await TestFleet.make()
      let (first, second) = (try fleet.host(), try fleet.host())
      let lease = try await first.lease(key)
      try await first.release([lease], pausing: SharedPause(.seconds(60), reason: "it is down"))
      try await first.pause("https://a.example", SharedPause(.seconds(60), reason: "503"))
      let held = SharedKey("notes", "held")
      _ = try await first.lease(held)

      if endsAll {
        try await second.endPauses()
      } else {
        try await second.endPauses(of: [held, key])
      }

      guard case .granted = try await second.claim(key) else {
        Issue.record("not granted")
        return
      }
      guard case .held = try await second.claim(held) else {
        Issue.record("not held")
        return
      }
      #expect(try await first.pauses(of: ["https://a.example"]).isEmpty == endsAll)
    }

    @Test func `an origin's pause from before the clock was set back is over`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      try await host.pause("https://a.example", SharedPause(.seconds(60), reason: "503"))
      try await setBack(fleet, "origin", ["paused_until", "made_at"], by: 3600)

      #expect(try await host.pauses(of: ["https://a.example"]).isEmpty)
      #expect(try await fleet.administration.status().pausedOrigins == 0)
      try await host.pause("https://a.example", SharedPause(.seconds(9), reason: "504"))
      let pause = try #require(try await host.pauses(of: ["https://a.example"]).values.first)
      #expect(pause.reason == "504" && pause.duration <= .seconds(9))
    }
  }
#endif
