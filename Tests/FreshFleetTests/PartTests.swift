#if Fleet
  @testable import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  /// Calls that carry more than passes within their limit at once.
  @Suite(.needsPostgreSQL) struct PartTests {
    private let keys = (0..<12).map { SharedKey("notes", "\($0)") }

    private func value(_ number: Int, of size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
    }

    @Test(
      arguments: [
        ([], []), ([1], [[1]]), ([9], [[9]]), ([1, 2, 3, 4], [[1, 2, 3], [4]]),
        ([9, 1, 9], [[9], [1], [9]]), ([2, 2, 2, 2], [[2, 2, 2], [2]]),
        ([3, 3, 1], [[3, 3], [1]]),
        ([.max, .max], [[.max], [.max]]),
      ] as [([Int], [[Int]])])
    func `elements go together as far as they fit`(_ sizes: [Int], _ parts: [[Int]]) {
      #expect(sizes.parts(atMost: 3, bytes: 6) { $0 } == parts)
    }

    @Test(arguments: [1, 100_000, 200_000, 700_000])
    func `large values come and go in parts, and all of them`(_ size: Int) async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host { $0.sharedValueLimit = .max }
      let claims = keys.map { SharedClaim($0) }
      let granted = try await host.claim(claims, owner: "", for: .seconds(60), since: nil).value
      let landings = keys.enumerated().compactMap { number, key in
        granted[key]?.granted.map { ($0, SharedRecord(value: value(number, of: size))) }
      }
      #expect(landings.count == keys.count)
      #expect(try await host.land(landings, since: nil).value.count == keys.count)

      let part = try await host.ask(claims, owner: "", for: .seconds(60), since: nil)
      let bytes = part.results.values.reduce(0) { $0 + ($1.found?.record.value?.count ?? 0) }
      #expect(part.results.count == 1 || bytes <= 256 * 1024)
      #expect(part.results.count + part.withheld.count == keys.count)

      let found = try await host.claim(claims, owner: "", for: .seconds(60), since: nil).value
      for (number, key) in keys.enumerated() {
        #expect(found[key]?.found?.record.value == value(number, of: size))
      }
      #expect(try await fleet.administration.status().leases == 0)
    }

    @Test func `many keys are claimed, extended, landed and released in parts`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let keys = (0..<700).map { SharedKey("notes", "\($0)") }
      let start = try await host.position()
      _ = try await host.mark([.tag([1])], reason: "", since: nil)
      let answer = try await host.claim(
        keys.map { SharedClaim($0) }, owner: "", for: .seconds(60), since: start)
      #expect(answer.news.marks?.count == 1)
      let leases = answer.value.values.compactMap(\.granted)
      #expect(leases.count == 700)
      #expect(try await host.extend(leases, for: .seconds(90)) == Set(leases))
      let landed = try await host.land(
        leases.prefix(300).map { ($0, SharedRecord(value: [1])) }, since: start)
      #expect(landed.value.count == 300 && landed.news.marks?.count == 1)
      try await host.release(Array(leases.dropFirst(300)), pausing: nil)
      let status = try await fleet.administration.status()
      #expect(status.leases == 0 && status.records == 300)
    }

    @Test func `nothing to land brings the news`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let start = try await host.position()
      let landed = try await host.land([], since: start)
      #expect(landed.value.isEmpty && landed.news.marks == [])
    }

    @Test func `the name of a host may be any text`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      let key = SharedKey("notes", "1")
      _ = try await host.claim(key, owner: "a\0b")
      guard case .held("a\0b", _) = try await host.claim(key) else {
        Issue.record("not held")
        return
      }
    }
  }

  extension SharedClaimResult {
    fileprivate var granted: SharedLease? {
      if case .granted(let lease) = self { lease } else { nil }
    }

    fileprivate var found: SharedFinding? {
      if case .found(let finding) = self { finding } else { nil }
    }
  }
#endif
