#if Fleet
  import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Synchronization
  import Testing

  @Suite(.needsPostgreSQL, .timeLimit(.minutes(3))) struct TrimTests {
    @Test func `a trim removes what is over and keeps the rest`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      _ = try await host.lease(SharedKey("notes", "over"), for: .zero)
      _ = try await host.lease(SharedKey("notes", "held"))
      try await host.fetch(
        SharedKey("notes", "old"),
        SharedRecord(value: [1], age: .seconds(7200), lifetime: .seconds(60)))
      try await host.fetch(SharedKey("notes", "new"), SharedRecord(value: [1]))
      let trimmed = try await fleet.administration.trim(olderThan: .seconds(3600))
      #expect(trimmed.marks == 0 && trimmed.records == 1 && trimmed.leases == 1)
      let status = try await fleet.administration.status()
      #expect(status.records == 1 && status.leases == 1)
    }

    @Test func `a dry run says what would go, and removes nothing`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      for tag in UInt8(0)..<3 { _ = try await host.mark([.tag([tag])], reason: "", since: nil) }
      _ = try await host.lease(SharedKey("notes", "over"), for: .zero)
      _ = try await host.lease(SharedKey("notes", "held"))
      try await host.fetch(
        SharedKey("notes", "old"),
        SharedRecord(value: [1], age: .seconds(7200), lifetime: .seconds(60)))
      try await host.fetch(SharedKey("notes", "new"), SharedRecord(value: [1]))
      // Of two from before the newest mark that covers one of them.
      try await fleet.sql(
        """
        INSERT INTO freshstore.record VALUES
          ('', 'a', 0, 2, '', false, now(), NULL, ARRAY['\\x02'::bytea], '', NULL),
          ('', 'b', 0, 2, '', false, now(), NULL, '{}', '', NULL)
        """)
      let administration = try fleet.administration
      for age in [Duration.zero, .seconds(3600)] {
        let before = try await administration.status()
        let told = try await administration.trim(olderThan: age, isDryRun: true)
        #expect(try await administration.status() == before)
        #expect(
          [told.marks, told.records, told.leases] == (age == .zero ? [3, 2, 1] : [0, 1, 1]))
      }
      let told = try await administration.trim(olderThan: .zero, isDryRun: true)
      #expect(try await administration.trim(olderThan: .zero) == told)
    }

    /// The number of leases that each batch reports.
    private final class Told: Sendable {
      let leases = Mutex<[Int]>([])
    }

    @Test func `progress is told after each batch`() async throws {
      let fleet = try await TestFleet.make()
      try await fleet.sql(
        """
        INSERT INTO freshstore.lease
        SELECT '', convert_to(n::text, 'UTF8'), n, '', 1, now() FROM generate_series(1, 2500) n
        """)
      let told = Told()
      _ = try await fleet.administration.trim(olderThan: .seconds(3600)) { trimmed in
        told.leases.withLock { $0.append(trimmed.leases) }
      }
      #expect(told.leases.withLock { $0 }.prefix(3) == [1000, 2000, 2500])
    }

    @Test func `what is more than one batch is removed as a whole`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      // All marks but one cover nothing.
      let scopes = (0..<2500).map { SharedMark.Scope.tag(Array("\($0)".utf8)) }
      _ = try await host.mark(scopes, reason: "", since: nil)
      try await fleet.sql(
        """
        INSERT INTO freshstore.record
        SELECT '', convert_to(n::text, 'UTF8'), n, 1, '', false, now(), NULL, ARRAY['7'::bytea], '', NULL
        FROM generate_series(1, 2500) n;
        INSERT INTO freshstore.record
        SELECT 'kept', convert_to(n::text, 'UTF8'), n, 1, '', false, now(), NULL, '{}', '', NULL
        FROM generate_series(1, 1500) n;
        INSERT INTO freshstore.record VALUES ('', '', 0, 1, '', false, now(), NULL, ARRAY['7'::bytea], '', NULL);
        INSERT INTO freshstore.lease
        SELECT '', convert_to(n::text, 'UTF8'), n, '', 1, now() FROM generate_series(1, 2500) n
        """)
      try await host.fetch(SharedKey("notes", "new"), SharedRecord(value: [1]))
      let trimmed = try await fleet.administration.trim(olderThan: .zero)
      #expect(trimmed.marks == 2500 && trimmed.records == 2501 && trimmed.leases == 2500)
      let status = try await fleet.administration.status()
      #expect(status.records == 1501 && status.oldestMark == 2501)
      #expect(try await fleet.sql("SELECT count(*) FROM freshstore.fresh") == ["1501"])
      #expect(try await host.found(SharedKey("notes", "new")) != nil)
    }

    /// Marks of each kind that cover the record `notes/a` with the tag 1, and then others that do not.
    static let covering: [SharedMark.Scope] = [
      .key(SharedKey("notes", "a")), .tag([1]), .prefix(Array("a".utf8), in: Array("notes".utf8)),
      .collection(Array("notes".utf8)), .all,
    ]

    @Test(arguments: covering)
    func `a record stays unless a mark that goes covers it`(scope: SharedMark.Scope) async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let (marked, free) = (SharedKey("notes", "a"), SharedKey("others", "b"))
      let record = SharedRecord(value: [1], tags: [[1]])
      try await host.fetch(marked, record)
      try await host.fetch(free, SharedRecord(value: [2], tags: [[2]]))
      let away = try await host.position()
      let other = SharedMark.Scope.tag([9])
      _ = try await host.mark([other, scope, other], reason: "", since: nil)
      let isFree = scope != .all
      #expect(try await fleet.administration.trim(olderThan: .zero).records == (isFree ? 1 : 2))
      #expect(try await host.found(marked) == nil)
      #expect(try await host.found(free)?.record.value == (isFree ? [2] : nil))
      // A host from before takes its own copies for stale, and has the fleet's as well.
      let claim = SharedClaim(free)
      let answer = try await host.claim([claim], owner: "away", for: .zero, since: away)
      guard case .suspect(.trimmed, let position) = answer.news else {
        Issue.record("known")
        return
      }
      if isFree, case .found(let finding)? = answer.value[free] {
        #expect(finding.number == position.number)
      }
      // Later marks cover what has stayed.
      _ = try await host.mark([.tag([2])], reason: "", since: nil)
      #expect(try await host.found(free) == nil)
    }

    @Test func `what lands under a lease from before a mark that is gone is not shared`()
      async throws
    {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let key = SharedKey("notes", "a")
      let lease = try await host.lease(key)
      _ = try await host.mark([.key(key)], reason: "", since: nil)
      _ = try await host.mark([.tag([9])], reason: "", since: nil)
      _ = try await fleet.administration.trim(olderThan: .zero)
      _ = try await host.land([(lease, SharedRecord(value: [1]))], since: nil)
      #expect(try await host.found(key) == nil)
      // The next trim does not take it for one that nothing covers.
      _ = try await host.mark([.tag([9])], reason: "", since: nil)
      #expect(try await fleet.administration.trim(olderThan: .zero).records == 1)
    }

    @Test func `marks are made while a trim waits`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      for _ in 0..<3 { _ = try await host.mark([.all], reason: "", since: nil) }
      let start = try await host.position()
      try await fleet.server.hold(
        fleet.database, "SELECT FROM freshstore.mark WHERE number = 1 FOR UPDATE",
        database: fleet.database)
      let administration = try fleet.administration
      let trim = Task { try await administration.trim(olderThan: .zero) }
      while try await administration.status().oldestMark == 1 {}
      _ = try await host.mark([.tag([1])], reason: "", since: nil)
      #expect(try await host.news(since: start).marks?.count == 1)
      try await fleet.server.release(fleet.database, database: fleet.database)
      #expect(try await trim.value.marks == 3)
    }

    @Test func `a host whose mark is left knows all that follow it`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let scopes = (0..<5).map { SharedMark.Scope.tag([$0]) }
      let start = try await host.position()
      _ = try await host.mark(scopes, reason: "", since: nil)
      // The first batch of a trim was the last one, too.
      try await fleet.sql(
        "UPDATE freshstore.counter SET oldest = 6; DELETE FROM freshstore.mark WHERE number < 4")
      guard case .suspect(.trimmed, _) = try await host.news(since: start) else {
        Issue.record("known")
        return
      }
      // By hand, and not from the lowest number up.
      try await fleet.sql("DELETE FROM freshstore.mark WHERE number = 5")
      let tokens = try await fleet.sql("SELECT token FROM freshstore.mark WHERE number = 4")
      let token = try #require(tokens.first.flatMap { Int64($0) })
      guard
        case .suspect(.trimmed, _) = try await host.news(
          since: SharedPosition(number: 4, token: token, generation: start.generation))
      else {
        Issue.record("known")
        return
      }
    }
  }
#endif
