#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import Strategies
  internal import Testing

  @testable import FreshHTTP

  /// Scripted servers that answer the source of a collection over HTTP.
  @Suite(.timeLimit(.minutes(1))) struct ScriptedRouteTests {
    private static let base = "https://example.org/notes"

    private func source(
      _ server: ScriptedServer<String>, _ clock: ManualClock = ManualClock()
    ) throws -> HTTPRecordSource<String> {
      let routes = [server.route(at: Self.base)]
      let web = try HTTPSource(HTTPConfiguration(clock: clock), answering: routes.response(to:))
      return try HTTPRecordSource(web, at: Self.base)
    }

    private func write(
      _ value: String?, for key: String, as kind: WriteKind = .replace, on tag: String? = nil
    ) -> PendingWrite<String> {
      PendingWrite(
        key: key, kind: kind, value: value, idempotencyKey: "\(key) \(value ?? "-")",
        baseValidators: Validators(entityTag: tag), contentType: "application/json")
    }

    @Test func `a fetch gets the value, then not modified, then that it is gone`() async throws {
      let server = ScriptedServer(
        ["a/1": "one"], details: FetchDetails(expiry: .after(.seconds(60))))
      let source = try source(server)
      let first = try await source.fetch(Previous(key: "a/1"))
      guard case .value("one", let details) = first else {
        Issue.record("\(first)")
        return
      }
      #expect(details.expiry == .after(.seconds(60)))
      let known = Previous(
        key: "a/1", value: "one", validators: details.validators, variant: details.variant,
        metadata: details.metadata)
      guard case .notModified = try await source.fetch(known) else {
        Issue.record("it was sent again")
        return
      }
      server["a/1"] = nil
      #expect(try await source.fetch(Previous(key: "a/1")).isGone)
    }

    @Test func `pushes are applied once, under their conditions, and refused in words`()
      async throws
    {
      let server = ScriptedServer(["1": "one"], isConditional: true)
      let source = try source(server)
      for _ in 1...2 {
        guard case .accepted = try await source.push(write("two", for: "2", as: .create)) else {
          Issue.record("it was not accepted")
          return
        }
      }
      #expect(server["2"] == "two" && server.pushes.count == 2)

      guard
        case .conflict(.value("one", _)) = try await source.push(
          write("mine", for: "1", on: "\"0\""))
      else {
        Issue.record("there was no conflict")
        return
      }
      server.answerPushes(with: .answer(.refused(Refusal("too short", status: 422))))
      guard case .refused(let refusal) = try await source.push(write("", for: "3")) else {
        Issue.record("it was not refused")
        return
      }
      #expect(refusal.status == 422 && refusal.body == Array("too short".utf8))
      server.answerPushes(with: .answer(.acceptedAs("THREE", FetchDetails())))
      guard case .acceptedAs("THREE", _) = try await source.push(write("three", for: "3")) else {
        Issue.record("the value of the server was not seen")
        return
      }
      guard case .accepted = try await source.push(write(nil, for: "2", as: .delete)) else {
        Issue.record("it was not deleted")
        return
      }
      #expect(server.keys == ["1", "3"])
    }

    @Test func `a store follows a list over HTTP, in pages, and then its changes`() async throws {
      try await TemporaryStore.run { temporary in
        let server = ScriptedServer(["1": "one", "2": "two", "3": "three"], pageSize: 2)
        let source = try source(server, temporary.clock)
        let notes = try temporary.store.collection("notes", of: String.self)

        _ = try await notes.follow("all", from: source)
        #expect(try notes.members(of: "all") == ["1", "2", "3"])
        #expect(try notes.read("1").copy?.validators.entityTag == "\"1\"")
        #expect(server.lists.count == 2)

        (server["1"], server["2"], server["3"], server["4"]) = (nil, "TWO", nil, "four")
        _ = try await notes.follow("all", from: source)
        #expect(try notes.members(of: "all") == ["2", "4"])
        #expect(try await notes.follow("all", from: source).removed.isEmpty)

        server.expireCursors()
        #expect(try await notes.follow("all", from: source).isFull)
      }
    }

    @Test func `a server that is down breaks the connection, and what no route leads to is gone`()
      async throws
    {
      let server = ScriptedServer(["1": "one"])
      let source = try source(server)
      server.goDown()
      await #expect(throws: HTTPFetchError.self) { try await source.fetch(Previous(key: "1")) }
      server.comeBack()
      let routes = [server.route(at: Self.base)]
      let elsewhere = try HTTPRecordSource(
        HTTPSource(answering: routes.response(to:)), at: "https://example.org/notesandmore",
        of: String.self)
      #expect(try await elsewhere.fetch(Previous(key: "1")).isGone)
    }

    @Test func `bytes are served as they are, and their lists name them`() async throws {
      let server = ScriptedServer<[UInt8]>(["1": [7]])
      let routes = [server.route(at: Self.base, codec: BytesCodec())]
      let web = try HTTPSource(answering: routes.response(to:))
      let source = try HTTPRecordSource(
        web, at: Self.base, codec: BytesCodec(),
        readingPage: { try JSONCodec<HTTPListPage<[UInt8]>>().decode($0) })
      guard case .value(let bytes, _) = try await source.fetch(Previous(key: "1")),
        case .full(let members, _) = try await source.list(PreviousList(name: "all"))
      else {
        Issue.record("another answer")
        return
      }
      #expect(bytes == [7] && members == ["1": .changed])
    }
  }
#endif
