#if Fleet
  import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  @Suite(.needsPostgreSQL) struct MarkingTests {
    @Test func `marks come in their order, once, with scope and reason`() async throws {
      let fleet = try await TestFleet.make()
      let (marking, reading) = (try fleet.host(), try fleet.host())
      let start = try await reading.position()
      let scopes: [SharedMark.Scope] = [
        .key(SharedKey("notes", "1")), .tag([0, 1]), .prefix([2], in: [3]), .collection([4]), .all,
      ]
      let first = try await marking.mark(scopes, reason: "new prices", since: start)
      #expect(first.value == start.number + 1...start.number + 5)
      let news = try await reading.news(since: start)
      #expect(news == first.news)
      #expect(news.marks?.map(\.scope) == scopes)
      #expect(news.marks?.map(\.position.number) == Array(first.value))
      #expect(news.marks?.allSatisfy { $0.reason == "new prices" } == true)
      #expect(try await reading.news(since: news.position).marks == [])
    }

    @Test func `a later number is never seen before an earlier one`() async throws {
      let fleet = try await TestFleet.make()
      let start = try await fleet.host().position()
      let (hosts, rounds) = (8, 40)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<hosts {
          let host = try fleet.host { $0.connections = 1 }
          group.addTask {
            for round in 0..<rounds {
              _ = try await host.mark(
                [.tag(Array("\(number)/\(round)".utf8))], reason: "", since: nil)
            }
          }
        }
        for _ in 0..<4 {
          let reader = try fleet.host { $0.connections = 1 }
          group.addTask {
            var position = start
            while position.number < start.number + Int64(hosts * rounds) {
              let news = try await reader.news(since: position)
              let marks = try #require(news.marks)
              let expected = marks.indices.map { position.number + 1 + Int64($0) }
              #expect(marks.map(\.position.number) == expected)
              position = news.position
            }
          }
        }
        for try await _ in group {}
      }
    }

    @Test func `many marks come in parts`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let start = try await host.position()
      let scopes = (0..<2500).map { SharedMark.Scope.tag(Array("\($0)".utf8)) }
      _ = try await host.mark(scopes, reason: "", since: nil)
      var (position, seen, isMore): (SharedPosition, [SharedMark.Scope], Bool) = (start, [], true)
      while isMore {
        guard case .marks(let marks, let next, let more) = try await host.news(since: position)
        else { Issue.record("unknown"); return }
        seen += marks.map(\.scope)
        (position, isMore) = (next, more)
      }
      #expect(seen == scopes)
    }

    @Test func `every answer brings the marks that its host has missed`() async throws {
      let fleet = try await TestFleet.make()
      let (host, other) = (try fleet.host(), try fleet.host())
      let start = try await host.position()
      _ = try await other.mark([.all], reason: "", since: nil)
      let key = SharedKey("notes", "1")
      let claimed = try await host.claim(
        [SharedClaim(key)], owner: "", for: .seconds(9), since: start)
      #expect(claimed.news.marks?.map(\.scope) == [.all])
      guard case .granted(let lease) = claimed.value[key] else { Issue.record("no lease"); return }
      #expect(lease.number == start.number + 1)
      let landed = try await host.land([(lease, SharedRecord(value: [1]))], since: start)
      #expect(landed.news.marks?.map(\.scope) == [.all])
      #expect(try await host.mark([.tag([1])], reason: "", since: start).news.marks?.count == 2)
    }

    @Test func `a host without a position suspects all`() async throws {
      let fleet = try await TestFleet.make()
      guard case .suspect(.new, let position) = try await fleet.host().news(since: nil) else {
        Issue.record("known"); return
      }
      #expect(position.number == 1)
    }

    @Test func `a position of another fleet is that of a new host`() async throws {
      let (one, other) = (try await TestFleet.make(), try await TestFleet.make())
      let position = try await one.host().position()
      guard case .suspect(.new, let next) = try await other.host().news(since: position)
      else { Issue.record("known"); return }
      #expect(next != position)
    }

    @Test func `a host that was away while its marks were trimmed suspects all`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let start = try await host.position()
      for _ in 0..<3 { _ = try await host.mark([.all], reason: "", since: nil) }
      let end = try await host.position()
      let trimmed = try await fleet.administration.trim(olderThan: .zero)
      #expect(trimmed.marks == 3)
      guard case .suspect(.trimmed, end) = try await host.news(since: start) else {
        Issue.record("known"); return
      }
      #expect(try await host.news(since: end).marks == [])
      _ = try await host.mark([.tag([1])], reason: "", since: nil)
      #expect(try await host.news(since: end).marks?.count == 1)
    }

    @Test func `a record from before the oldest mark is not handed out`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let key = SharedKey("notes", "1")
      try await host.fetch(key, SharedRecord(value: [1]))
      _ = try await host.mark([.key(key), .tag([1])], reason: "", since: nil)
      let trimmed = try await fleet.administration.trim(olderThan: .zero)
      #expect(trimmed.records == 1)
      #expect(try await host.found(key) == nil)
    }

    @Test func `of many hosts that mark all at once one does`() async throws {
      let fleet = try await TestFleet.make()
      let hosts = try (0..<8).map { _ in try fleet.host() }
      let start = try await hosts[0].position()
      let made = try await withThrowingTaskGroup(of: Bool.self) { group in
        for host in hosts {
          group.addTask { try await host.markAll(reason: "lost", unlessAfter: start.number) }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(made == 1)
      let marks = try await hosts[0].news(since: start).marks
      #expect(marks?.map(\.scope) == [.all] && marks?.first?.reason == "lost")
      // A mark of one collection does not count as a mark of everything.
      let end = try await hosts[0].mark([.collection([])], reason: "", since: nil).value.upperBound
      #expect(try await hosts[0].markAll(reason: "", unlessAfter: end - 1))
      #expect(try await !hosts[0].markAll(reason: "", unlessAfter: end))
    }

    @Test(arguments: ["- interval '1 day'", "- interval '1 second'", "+ interval '1 day'"])
    func `a mark from before a loss hinders none, whatever the clock of the database shows`(
      shift: String
    ) async throws {
      let fleet = try await TestFleet.make()
      let (host, other) = (try fleet.host(), try fleet.host())
      let start = try await host.mark([.all], reason: "long ago", since: nil).news.position
      // The host has received seven more marks, and the database has lost them.
      let lost = start.number + 7
      try await fleet.sql("UPDATE freshstore.mark SET made_at = made_at \(shift)")

      #expect(try await host.markAll(reason: "lost", unlessAfter: lost))

      // A host that had received fewer marks adds no mark. A host whose position is still known
      // applies the new mark.
      #expect(try await !other.markAll(reason: "lost", unlessAfter: lost - 3))
      let news = try await other.news(since: start)
      #expect(news.marks?.map(\.scope) == [.all] && news.position.number == lost + 1)
      _ = try await other.mark([.tag([1])], reason: "", since: nil)
      #expect(try await other.news(since: start).marks?.count == 2)
    }

    @Test func `the number of a damaged place does not use up all numbers`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      #expect(try await host.markAll(reason: "lost", unlessAfter: .max))
      let made = try await host.mark([.tag([1])], reason: "", since: nil).value
      #expect(made.upperBound < 2_000_000_000)
    }

    @Test func `marks that somebody has removed by hand are not known`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let start = try await host.position()
      for tag in UInt8(1)...3 { _ = try await host.mark([.tag([tag])], reason: "", since: nil) }
      try await fleet.sql("DELETE FROM freshstore.mark WHERE name = '\\x02'")
      guard case .suspect(.historyLost, _) = try await host.news(since: start) else {
        Issue.record("known")
        return
      }
    }

    @Test func `nothing to mark is refused`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let error = await failure { () async throws(SharedTierError) in
        _ = try await host.mark([], reason: "", since: nil)
      }
      #expect(error?.code == .invalidArgument)
    }
  }
#endif
