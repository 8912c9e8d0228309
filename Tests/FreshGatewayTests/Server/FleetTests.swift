#if Gateway
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// Gateways on several hosts, of one fleet.
  @Suite(.timeLimit(.minutes(1))) struct FleetTests {
    /// Two hosts in front of one origin.
    private struct Hosts {
      let tier: InMemorySharedTier
      let first: GatewayBench
      let second: GatewayBench

      var asked: [String] { first.asked }

      /// Returns once the fleet has the copy of an address.
      func share(_ target: String) async throws {
        let look = SharedClaim(SharedKey("http", first.server.url(target)), takesLease: false)
        while true {
          let answer = try await tier.claim([look], owner: "a test", for: .seconds(1), since: nil)
          if case .found = answer.value[look.key] { return }
          await Task.yield()
        }
      }
    }

    /// - Parameter rules: Those of the second one.
    private func withHosts(
      _ handler: @escaping OriginServer.Handler, rules: ContentAdmission? = nil,
      test: (Hosts) async throws -> Void
    ) async throws {
      let tierClock = ManualClock()
      let tier = InMemorySharedTier(now: { tierClock.now.elapsed })
      @Sendable func join(_ configuration: inout Configuration, as host: String) {
        configuration.sharedTier = tier
        configuration.fleet.host = host
        configuration.fleet.outOfReach = .keepMarks
      }
      try await TemporaryStore.run(configure: { join(&$0, as: "first") }) { first in
        try await TemporaryStore.run(configure: { join(&$0, as: "second") }) { second in
          for host in [first, second] { try await host.store.takeInFleetMarks() }
          let server = try await OriginServer.start(handler)
          let one = try await start(first.store, first.clock, server)
          let other = try await start(second.store, second.clock, server) { options in
            options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
            options.operatorTokens = OperatorTokens([Self.token])
            options.admission = rules
          }
          let hosts = Hosts(
            tier: tier, first: GatewayBench(gateway: one, server: server, temporary: first),
            second: GatewayBench(gateway: other, server: server, temporary: second))
          let result: Result<Void, any Error>
          do {
            result = .success(try await test(hosts))
          } catch {
            result = .failure(error)
          }
          await one.close()
          await other.close()
          await server.stop()
          try result.get()
        }
      }
    }

    private static let token = "0123456789abcdef0123"

    private static let page: OriginServer.Handler = { request in
      .init(
        200, ["Cache-Control": "max-age=60", "Content-Type": "text/plain"],
        body: "\(request.method) \(request.target)")
    }

    @Test func `what one host has fetched is a copy for all`() async throws {
      try await withHosts(Self.page) { (hosts) async throws in
        #expect(try await hosts.first.ask("/a").status == 200)
        let answer = try await hosts.second.ask("/a")
        #expect(answer.text == "GET /a")
        #expect(answer["Content-Type"] == "text/plain")
        #expect(answer["Cache-Status"]?.hasPrefix("freshstore; hit") == true)
        #expect(hosts.asked == ["GET /a"])
        #expect(try await hosts.second.told("/metrics").contains("\nfreshstore_fleet_in_reach 1\n"))
      }
    }

    @Test func `what is asked for on all hosts at once is asked of the origin once`() async throws {
      let gate = Gate()
      try await withHosts { _ in
        .init(
          200, ["Cache-Control": "max-age=60", "Content-Length": "5"],
          steps: [.wait(gate), .send(Array("hello".utf8))])
      } test: { (hosts) async throws in
        async let first = hosts.first.ask("/a")
        async let second = hosts.second.ask("/a")
        while hosts.asked.isEmpty { await Task.yield() }
        gate.open()
        #expect(try await first.text == "hello")
        #expect(try await second.text == "hello")
        #expect(hosts.asked.count == 1)
      }
    }

    @Test func `what varies is asked for by each host, and holds nobody up`() async throws {
      try await withHosts { request in
        .init(
          200, ["Cache-Control": "max-age=60", "Vary": "Accept-Language"],
          body: request["Accept-Language"] ?? "none")
      } test: { (hosts) async throws in
        for host in [hosts.first, hosts.second] {
          let answer = try await host.askUntilHit("/a", fields: "Accept-Language: de")
          #expect(answer.text == "de")
        }
        #expect(hosts.asked.count == 2)
      }
    }

    @Test(arguments: ["POST", "PURGE"])
    func `what one host changes or purges is asked for again by all`(method: String) async throws {
      try await withHosts(Self.page) { (hosts) async throws in
        for host in [hosts.first, hosts.second] { try await host.askUntilHit("/a") }
        let fields = method == "PURGE" ? "Authorization: Bearer \(Self.token)" : ""
        #expect(try await hosts.second.ask("/a", method, fields: fields).status == 200)
        try await hosts.first.temporary.store.takeInFleetMarks()
        let answer = try await hosts.first.ask("/a")
        #expect(answer["Cache-Status"]?.contains("fwd=stale") == true)
        #expect(hosts.asked.filter { $0 == "GET /a" }.count == 2)
      }
    }

    @Test func `health tells of a purge that the other hosts do not know of`() async throws {
      try await withHosts(Self.page) { (hosts) async throws in
        try await hosts.second.askUntilHit("/a")
        hosts.tier.fail(with: SharedTierError(.unreachable, "too many connections"))
        let fields = "Authorization: Bearer \(Self.token)"
        #expect(try await hosts.second.ask("/a", "PURGE", fields: fields).status == 200)
        #expect(try await hosts.second.told("/healthz") == "ok\n")
        hosts.second.temporary.clock.advance(by: FleetStanding.longestDelivery)
        let health = try await hosts.second.told("/healthz")
        #expect(health.hasPrefix("ok\nfleet: "), "\(health)")
        #expect(health.contains("for delivery"), "\(health)")
        hosts.tier.fail(with: nil)
      }
    }

    @Test func `a variant that only another host has is marked there, too`() async throws {
      try await withHosts { _ in
        .init(200, ["Cache-Control": "max-age=60", "Vary": "Accept-Language"], body: "hello")
      } test: { (hosts) async throws in
        try await hosts.first.askUntilHit("/a", fields: "Accept-Language: de")
        #expect(try await hosts.second.ask("/a", "POST").status == 200)
        try await hosts.first.temporary.store.takeInFleetMarks()
        let answer = try await hosts.first.ask("/a", fields: "Accept-Language: de")
        #expect(answer["Cache-Status"]?.contains("fwd=stale") == true)
      }
    }

    @Test func `all variants of an address have one mark`() async throws {
      try await withHosts { _ in
        .init(200, ["Cache-Control": "max-age=60", "Vary": "Accept-Language"], body: "hello")
      } test: { (hosts) async throws in
        let languages = ["de", "en", "fr"]
        for language in languages {
          try await hosts.first.askUntilHit("/a", fields: "Accept-Language: \(language)")
        }
        let before = try await hosts.tier.news(since: nil).position
        #expect(try await hosts.first.ask("/a", "POST").status == 200)
        guard case .marks(let marks, _, _) = try await hosts.tier.news(since: before) else {
          Issue.record("the marks are not known")
          return
        }
        // One of the address itself, too.
        #expect(marks.count == 2)
        for language in languages {
          let answer = try await hosts.first.ask("/a", fields: "Accept-Language: \(language)")
          #expect(answer["Cache-Status"]?.contains("fwd=stale") == true)
        }
      }
    }

    /// Has a program that is no gateway get an address on a third host, after it has marked it there.
    private func getElsewhere(
      _ target: String, marks: Bool = false, _ hosts: Hosts
    ) async throws {
      let tier = hosts.tier
      try await TemporaryStore.run(configure: { configuration in
        configuration.sharedTier = tier
        configuration.fleet.host = "third"
      }) { third in
        let (records, url) = (try third.store.bytes("http"), hosts.first.server.url(target))
        if marks { try await records.markStale(url) }
        let value = Array("got".utf8)
        let answer = try await records.get(url) { _ in
          .value(value, FetchDetails(expiry: .after(.seconds(60))))
        }
        #expect(answer.value == value)
      }
    }

    @Test func `what a get has brought to the fleet gives way to the answer of a gateway`()
      async throws
    {
      try await withHosts(Self.page) { (hosts) async throws in
        try await getElsewhere("/a", hosts)
        for host in [hosts.first, hosts.second] {
          #expect(try await host.ask("/a").text == "GET /a")
        }
        #expect(hosts.asked == ["GET /a"])
      }
    }

    @Test func `a copy of a gateway is confirmed although a get has replaced it in the fleet`()
      async throws
    {
      try await withHosts { request in
        let fields: KeyValuePairs = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
        return request["If-None-Match"] == nil
          ? .init(200, fields, body: "page") : .init(304, fields)
      } test: { (hosts) async throws in
        try await hosts.first.askUntilHit("/a")
        try await getElsewhere("/a", marks: true, hosts)
        for host in [hosts.first, hosts.second] {
          try await host.temporary.store.takeInFleetMarks()
          #expect(try await host.ask("/a").text == "page")
        }
        #expect(hosts.first.server.requests.map { $0["If-None-Match"] } == [nil, "\"1\""])
      }
    }

    /// Two hosts of a page that is gone from a moment on, which may not be kept then.
    private func withEndingPage(
      _ control: String, test: (Hosts, _ end: () -> Void) async throws -> Void
    ) async throws {
      let isGone = Mutex(false)
      try await withHosts { _ in
        isGone.withLock(\.self)
          ? .init(404, ["Cache-Control": control], body: "gone")
          : .init(200, ["Cache-Control": "max-age=600"], body: "page")
      } test: { (hosts) async throws in
        try await test(hosts) { isGone.withLock { $0 = true } }
      }
    }

    @Test(arguments: ["no-store", "no-transform"])
    func `a copy that a later answer has removed does not come back from the fleet`(
      control: String
    ) async throws {
      try await withEndingPage(control) { (hosts, end) async throws in
        try await hosts.first.askUntilHit("/a")
        end()
        // It waits until the fleet has the page.
        #expect(try await hosts.first.ask("/a", fields: "Cache-Control: no-cache").text == "gone")
        let copies = try hosts.first.temporary.store.bytes("http")
        let url = hosts.first.server.url("/a")
        while try copies.kept(url) != nil { await Task.yield() }
        for host in [hosts.first, hosts.second] {
          #expect(try await host.ask("/a").text == "gone")
        }
        #expect(hosts.asked.count == 4)
      }
    }

    @Test func `nor does one that an answer to one client alone has removed`() async throws {
      try await withEndingPage("no-store") { (hosts, end) async throws in
        try await hosts.first.askUntilHit("/a")
        try await hosts.share("/a")
        end()
        let part = "Cache-Control: no-cache|Range: bytes=0-1"
        #expect(try await hosts.first.ask("/a", fields: part).text == "gone")
        for host in [hosts.first, hosts.second] {
          #expect(try await host.ask("/a").text == "gone")
        }
        #expect(hosts.asked.count == 4)
      }
    }

    @Test func `nor does one that was never on the host that hears of its end`() async throws {
      try await withEndingPage("no-store") { (hosts, end) async throws in
        try await hosts.first.askUntilHit("/a")
        try await hosts.share("/a")
        end()
        #expect(try await hosts.second.ask("/a", fields: "Cache-Control: no-cache").text == "gone")
        // The one that has asked knows for a while that answers are not for all.
        let again = try await hosts.second.another()
        #expect(try await again.ask("/a").text == "gone")
        #expect(hosts.asked.count == 3)
        await again.gateway.close()
      }
    }

    @Test func `what breaks the rules of a host is no copy there, whoever has fetched it`()
      async throws
    {
      let text = Mutex("bad")
      let rules = ContentAdmission(
        covers: { _ in true },
        refusal: { _, _, bytes in bytes.starts(with: "good".utf8) ? nil : "it must be good" })
      try await withHosts(
        { _ in .init(200, ["Cache-Control": "max-age=60"], body: text.withLock(\.self)) },
        rules: rules
      ) { (hosts) async throws in
        #expect(try await hosts.first.ask("/a").text == "bad")
        try await hosts.share("/a")
        text.withLock { $0 = "good" }
        #expect(try await hosts.second.ask("/a").text == "good")
        #expect(hosts.asked.count == 2)
      }
    }

    @Test func `a host that cannot reach the fleet serves alone`() async throws {
      try await withHosts(Self.page) { (hosts) async throws in
        hosts.tier.fail(with: SharedTierError(.unreachable, "there is no way to it"))
        #expect(try await hosts.first.ask("/a").status == 200)
        #expect(try await hosts.second.ask("/a").status == 200)
        #expect(hosts.asked == ["GET /a", "GET /a"])
        #expect(try await hosts.second.told("/metrics").contains("\nfreshstore_fleet_in_reach 0\n"))
        let status = try await hosts.second.told("/status")
        #expect(status.contains("\"aloneBecause\":\"there is no way to it\",\"overdue\":"))
        hosts.tier.fail(with: nil)
      }
    }
  }
#endif
