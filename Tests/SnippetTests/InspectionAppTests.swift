#if HTTP
  import Foundation
  import FreshHTTP
  import FreshStore
  import FreshStoreTesting
  import FreshSync
  import Strategies
  import Testing

  // begin: inspection: office
  struct Office {
    let sites = ScriptedServer(["mill": Site(name: "Mill")], isConditional: true)
    let reports = ScriptedServer(
      ["7": Report(site: "mill", findings: ["rust"])], isConditional: true)
    let photos = ScriptedServer<[UInt8]>()

    func app(on device: TemporaryStore) throws -> Inspections {
      let routes = [
        sites.route(at: "https://example.org/sites"),
        reports.route(at: "https://example.org/reports"),
        photos.route(at: "https://example.org/photos", codec: BytesCodec()),
      ]
      let settings = HTTPConfiguration(clock: device.clock)
      return try Inspections(
        device.store, over: HTTPSource(settings, answering: routes.response(to:)))
    }
  }
  // end

  /// The app of the article, as its own test tells its life, and its way over HTTP.
  @Suite(.timeLimit(.minutes(1))) struct InspectionAppTests {
    @Test func `an inspection app on two devices`() async throws {
      try await Stage.run(
        "inspection: devices", "inspection: cellar", "inspection: back", "inspection: refused",
        "inspection: again", "inspection: version"
      ) {
        // begin: inspection: devices
        let (office, clock) = (Office(), ManualClock())
        let phone = try TemporaryStore(clock: clock)
        let tablet = try TemporaryStore(clock: clock)
        let (mine, hers) = (try office.app(on: phone), try office.app(on: tablet))
        for app in [mine, hers] {
          app.synchronizer.start()
          await app.synchronizer.settled()
        }
        for await shown in mine.sites.observeValues() {
          print(shown.records.map(\.line))  // ["Mill (0)"]
          break  // a screen goes on
        }
        // end

        // begin: inspection: cellar
        var form = try ReportForm("7", at: "mill", in: mine.reports)  // version 1
        try await hers.reports.update("7") { $0?.findings.append("loose step") }
        await hers.synchronizer.settled()
        clock.advance(by: .minutes(15))  // the list is asked for again
        await mine.synchronizer.settled()
        print(try mine.reports.read("7").copy?.value.findings ?? [])  // ["rust", "loose step"]

        phone.reachability.set(.offline("in the cellar"))
        form.report.findings.append("damp wall")
        let report = try await form.save(in: mine.reports)
        try await mine.attach([UInt8](repeating: 1, count: 3_000_000), "wall", to: report)
        try await mine.countVisit(to: "mill")
        print(await mine.synchronizer.settled().phase)  // offline(because: "in the cellar")
        print(try mine.sites.values().map(\.line))  // ["Mill (1), not sent"]
        // end

        // begin: inspection: back
        for _ in 1...2 { try await hers.countVisit(to: "mill") }
        await hers.synchronizer.settled()
        phone.reachability.set(.online)
        await mine.synchronizer.settled()
        clock.advance(by: mine.synchronizer.options.settle)
        await mine.synchronizer.settled()
        print(office.reports["7"]?.findings ?? [])  // ["rust", "loose step", "damp wall"]
        print(office.sites["mill"]?.visits ?? 0, office.photos.keys)  // 3 ["7-wall"]
        // end

        // begin: inspection: refused
        office.reports.answerPushes(with: .answer(.refused(Refusal("Say where.", status: 422))))
        var crack = try ReportForm("8", at: "mill", in: mine.reports)
        crack.report.findings = ["a crack"]
        let sent = try await crack.save(in: mine.reports)
        try await mine.attach([1, 2, 3], "crack", to: sent)
        for await shown in try mine.reports.observe("8") {
          guard let write = shown.waiting, let refusal = write.refusal else { continue }
          let words = String(decoding: refusal.body, as: UTF8.self)
          print(words, refusal.status ?? 0)  // Say where. 422
          crack.report.findings = ["a crack above the door"]
          try await mine.reports.correct(write, to: crack.report)
          break
        }
        await mine.synchronizer.settled()
        print(office.reports["8"]?.findings ?? [])  // ["a crack above the door"]
        print(office.photos.keys)  // ["7-wall", "8-crack"]
        // end

        // begin: inspection: again
        office.sites.goDown()
        try await mine.countVisit(to: "mill")
        await mine.synchronizer.settled()
        print(try mine.synchronizer.store.outbox().map(\.state.rawValue))  // ["waiting"]
        office.sites.comeBack()
        try await mine.synchronizer.tryNow()  // the button "try again"
        await mine.synchronizer.settled()
        print(office.sites["mill"]?.visits ?? 0)  // 4
        // end

        let store = phone.store
        // begin: inspection: version
        struct RatedReport: Codable {
          var site: String
          var findings: [String]
          var urgency: Int
        }

        let reports = try store.collection(
          "reports", of: RatedReport.self, policy: .offlineFirst, contentVersion: 1
        ) { bytes, version in
          let old = try JSONCodec<Report>().decode(bytes)
          return RatedReport(site: old.site, findings: old.findings, urgency: 1)
        }
        print(try reports.read("8").copy?.value.urgency ?? 0)  // 1
        // end

        try await mine.signOut()
        try await hers.signOut()
        // Their folders are removed with them.
        withExtendedLifetime((phone, tablet)) {}
      }
    }

    // MARK: Over HTTP

    @Test func `its feed comes in pages, with a token that is renewed, until somebody signs out`()
      async throws
    {
      let (folder, clock) = (try TemporaryFolder(), ManualClock())
      let sites = ScriptedServer(
        ["dam": Site(name: "Dam", visits: 2), "mill": Site(name: "Mill")], pageSize: 1)
      let reports = ScriptedServer<Report>()
      let routes = [
        sites.route(at: "https://example.org/sites"),
        reports.route(at: "https://example.org/reports"),
      ]
      let settings = HTTPConfiguration(
        credentials: credentials(of: "anna", Tokens()), clock: clock)
      let web = try HTTPSource(settings) { request in
        guard request.headers["Authorization"] == "Bearer new" else {
          return HTTPSource.Response(401)
        }
        return try await routes.response(to: request)
      }
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.clock = clock
      let app = try Inspections(
        user: "anna", over: web, in: URL(fileURLWithPath: folder.path),
        configuration: configuration)
      let status = await app.synchronizer.settled()
      #expect(status.report.lists == 2 && status.report.failed == 0)
      #expect(try app.sites.values().map(\.line) == ["Dam (2)", "Mill (0)"])
      #expect(sites.lists.count == 2)

      sites["mill"] = nil
      clock.advance(by: .minutes(15))
      await app.synchronizer.settled()
      #expect(try app.sites.values().map(\.line) == ["Dam (2)"])

      try await app.signOut()
      await web.close()
      let again = try Store(path: folder.file("anna/store.db"), configuration: configuration)
      #expect(try again.collection("sites", of: Site.self).values().isEmpty)
      try await again.close()
    }
  }
#endif
