#if Fleet
  import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  @Suite(.needsPostgreSQL) struct LandingTests {
    private let key = SharedKey("notes", "1")

    @Test func `a late owner stores nothing`() async throws {
      let fleet = try await TestFleet.make()
      let (late, next) = (try fleet.host(), try fleet.host())
      let first = try await late.lease(key, for: .zero)
      let second = try await next.lease(key)
      #expect(
        try await next.land([(second, SharedRecord(value: [2]))], since: nil).value == [second])
      #expect(try await late.land([(first, SharedRecord(value: [1]))], since: nil).value == [])
      #expect(try await next.found(key)?.record.value == [2])
    }

    @Test func `a late owner neither lengthens nor ends the lease of its successor`() async throws {
      let fleet = try await TestFleet.make()
      let (late, next) = (try fleet.host(), try fleet.host())
      let first = try await late.lease(key, for: .zero)
      let second = try await next.lease(key)
      #expect(try await late.extend([first], for: .seconds(9)).isEmpty)
      try await late.release([first], pausing: SharedPause(.seconds(9), reason: ""))
      #expect(try await next.extend([second], for: .seconds(9)) == [second])
      #expect(
        try await next.land([(second, SharedRecord(value: [2]))], since: nil).value == [second])
    }

    @Test func `an owner may land once`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let lease = try await host.lease(key)
      _ = try await host.land([(lease, SharedRecord(value: [1]))], since: nil)
      #expect(try await host.land([(lease, SharedRecord(value: [2]))], since: nil).value == [])
      #expect(try await host.found(key)?.record.value == [1])
    }

    @Test func `a lease that was extended is held on`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let lease = try await host.lease(key, for: .zero)
      #expect(try await host.extend([lease], for: .seconds(60)) == [lease])
      guard case .held = try await host.claim(key) else {
        Issue.record("not held")
        return
      }
    }

    /// The times that the host states for a record, and the resulting age in seconds. The lease was
    /// granted an hour ago.
    private static let late: [(age: Int, updatedAfterGrant: Int?, seconds: Int)] = [
      (0, nil, 3600), (0, 0, 3600), (0, 600, 3000), (600, -600, 4200), (7200, nil, 7200),
      (7200, 600, 7200),
    ]

    @Test(arguments: late)
    func `a record that lands late is as old as it is`(
      _ late: (age: Int, updatedAfterGrant: Int?, seconds: Int)
    ) async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let lease = try await host.lease(key)
      try await fleet.sql(
        "UPDATE freshstore.lease SET granted_at = granted_at - interval '1 hour'")
      let record = SharedRecord(
        value: [1], age: .seconds(late.age),
        updatedAfterGrant: late.updatedAfterGrant.map { .seconds($0) })
      #expect(try await host.land([(lease, record)], since: nil).value == [lease])
      let age = try #require(try await host.found(key)).record.age
      #expect(age >= .seconds(late.seconds) && age < .seconds(late.seconds + 300))
    }

    @Test func `a lease that was taken over counts from then`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      _ = try await host.lease(key, for: .zero)
      try await fleet.sql(
        "UPDATE freshstore.lease SET granted_at = granted_at - interval '1 hour'")
      try await host.fetch(key, SharedRecord(value: [1]))
      #expect(try #require(try await host.found(key)).record.age < .seconds(300))
    }

    @Test func `a lease that was released is free`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      try await host.release([try await host.lease(key)], pausing: nil)
      _ = try await host.lease(key)
    }

    @Test(arguments: [
      SharedMark.Scope.key(SharedKey("notes", "1")), .tag(Array("red".utf8)),
      .prefix([], in: Array("notes".utf8)), .prefix(Array("1".utf8), in: Array("notes".utf8)),
      .collection(Array("notes".utf8)), .all,
    ])
    func `a mark between the grant and the landing covers what lands`(
      _ scope: SharedMark.Scope
    ) async throws {
      let fleet = try await TestFleet.make()
      let (fetching, marking) = (try fleet.host(), try fleet.host())
      let lease = try await fetching.lease(key)
      _ = try await marking.mark([scope], reason: "", since: nil)
      let record = SharedRecord(value: [1], tags: [Array("red".utf8)])
      #expect(try await fetching.land([(lease, record)], since: nil).value == [lease])
      #expect(try await marking.found(key) == nil)
      try await marking.fetch(key, record)
      #expect(try await fetching.found(key) != nil)
    }

    @Test(arguments: [
      SharedMark.Scope.key(SharedKey("notes", "10")), .key(SharedKey("lists", "1")),
      .tag(Array("blue".utf8)), .prefix(Array("10".utf8), in: Array("notes".utf8)),
      .prefix([], in: Array("lists".utf8)), .collection(Array("lists".utf8)),
      .key(SharedKey("", "")),
    ])
    func `a mark of something else does not`(_ scope: SharedMark.Scope) async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      try await host.fetch(key, SharedRecord(value: [1], tags: [Array("red".utf8)]))
      _ = try await host.mark([scope], reason: "", since: nil)
      #expect(try await host.found(key) != nil)
    }

    @Test func `a value above the limit stays with its host, and its stamps are shared`()
      async throws
    {
      let fleet = try await TestFleet.make()
      let host = try fleet.host { $0.sharedValueLimit = 2 }
      try await host.fetch(key, SharedRecord(value: [1, 2, 3], stamps: [7]))
      let finding = try #require(try await host.found(key))
      #expect(finding.record.value == nil)
      #expect(finding.record.stamps == [7])
    }

    @Test func `a value of many packets arrives whole`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host { $0.sharedValueLimit = .max }
      let value = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try await host.fetch(key, SharedRecord(value: value))
      #expect(try await host.found(key)?.record.value == value)
    }
  }
#endif
