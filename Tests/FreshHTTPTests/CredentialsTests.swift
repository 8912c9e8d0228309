#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  /// Credentials that are asked for before each request, and renewed when an origin refuses them.
  @Suite(.timeLimit(.minutes(2))) struct CredentialsTests {
    /// The tokens of an account, as an application keeps them.
    private final class Tokens: Sendable {
      private struct State {
        var number = 1
        var renewals = 0
        var isSignedIn = true
        var asked: [String] = []
      }

      private let state = Mutex(State())
      /// Renewals wait here.
      let latch = Latch()
      /// The error of the next renewals; `nil` for none.
      let trouble = Mutex<(any Error)?>(nil)

      var renewals: Int { state.withLock(\.renewals) }
      var asked: [String] { state.withLock(\.asked) }
      var isSignedIn: Bool {
        get { state.withLock(\.isSignedIn) }
        set { state.withLock { $0.isSignedIn = newValue } }
      }

      func headers(_ address: String) throws -> HeaderFields {
        try state.withLock { state in
          state.asked.append(address)
          guard state.isSignedIn else { throw SignedOut() }
          return ["Authorization": "Bearer token-\(state.number)"]
        }
      }

      func renew() async throws {
        state.withLock { $0.renewals += 1 }
        try await latch.pass()
        if let error = trouble.withLock({ $0 }) { throw error }
        state.withLock { $0.number += 1 }
      }

      func credentials(_ account: String = "anna") -> Credentials {
        Credentials(account: account) {
          try self.headers($0)
        } renew: {
          try await self.renew()
        }
      }
    }

    private struct Quoting: Error {
      let secret = "token-1"
    }

    private func configuration(_ credentials: Credentials) -> HTTPConfiguration {
      HTTPConfiguration(credentials: credentials, timeout: .seconds(600))
    }

    /// Accepts one token, and repeats a refused one in its answer.
    private static func accepting(_ token: String) -> OriginServer.Handler {
      { request in
        let given = request["Authorization"] ?? "nothing"
        return given == "Bearer \(token)"
          ? .init(body: "for \(token)") : .init(401, body: "unknown: \(given)")
      }
    }

    @Test func `each request carries what the closure hands out for its address`() async throws {
      let tokens = Tokens()
      try await withOrigin(configuration(tokens.credentials()), Self.accepting("token-1")) {
        (origin, source) async throws in
        for path in ["/a", "/b?c"] {
          #expect(try await source.fetch(origin.url(path)).text == "for token-1")
        }
        #expect(tokens.asked == [origin.url("/a"), origin.url("/b?c")])
        #expect(tokens.renewals == 0)
      }
    }

    @Test func `a refused token is renewed once for all requests that wait`() async throws {
      let tokens = Tokens()
      tokens.latch.close()
      try await withOrigin(configuration(tokens.credentials()), Self.accepting("token-2")) {
        origin, source in
        let texts: [String?] = try await withThrowingTaskGroup(of: String?.self) { group in
          for number in 0..<8 {
            group.addTask { try await source.fetch(origin.url("/\(number)")).text }
          }
          while origin.requests.count < 8 { await Task.yield() }
          tokens.latch.open()
          return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(texts.count == 8 && texts.allSatisfy { $0 == "for token-2" })
        #expect(tokens.renewals == 1)
        #expect(origin.requests.count == 16)
      }
    }

    @Test func `a request with an old token that is refused after a renewal is only repeated`()
      async throws
    {
      let tokens = Tokens()
      let gate = Gate()
      let accepting = Self.accepting("token-2")
      try await withOrigin(configuration(tokens.credentials())) { request in
        if request.path == "/slow", request["Authorization"] == "Bearer token-1" {
          await gate.wait()
        }
        return await accepting(request)
      } test: { (origin, source) async throws in
        async let slow = source.fetch(origin.url("/slow"))
        while origin.requests.isEmpty { await Task.yield() }
        #expect(try await source.fetch(origin.url("/quick")).text == "for token-2")
        gate.open()
        #expect(try await slow.text == "for token-2")
        #expect(tokens.renewals == 1)
      }
    }

    @Test func `a second refusal is a failure like any other, and quotes no token`() async throws {
      let tokens = Tokens()
      try await withOrigin(configuration(tokens.credentials()), Self.accepting("none")) {
        origin, source in
        let failure = await source.failure(origin.url("/a"))
        guard case .status(401, _, let words, _) = failure else {
          Issue.record("\(String(describing: failure))")
          return
        }
        #expect(words.hasPrefix("unknown: ") && !words.contains("token-"))
        #expect(failure?.needsSignIn == false && failure?.blamesOrigin == false)
        #expect(tokens.renewals == 1 && origin.requests.count == 2)
      }
    }

    @Test(arguments: [403, 407, 500]) func `no other status is taken for a refusal of the token`(
      status: Int
    ) async throws {
      let tokens = Tokens()
      try await withOrigin(configuration(tokens.credentials())) { _ in
        .init(status)
      } test: { origin, source in
        _ = await source.failure(origin.url("/a"))
        #expect(tokens.renewals == 0 && origin.requests.count == 1)
      }
    }

    @Test func `without a renewal a refusal is a failure at once`() async throws {
      let credentials = Credentials(account: "anna") { _ in ["Authorization": "Bearer token-1"] }
      try await withOrigin(configuration(credentials), Self.accepting("token-2")) {
        origin, source in
        guard case .status(401, _, _, _) = await source.failure(origin.url("/a")) else {
          Issue.record("no status")
          return
        }
        #expect(origin.requests.count == 1)
      }
    }

    @Test(arguments: [true, false])
    func `where nobody is signed in nothing is sent, or nothing more, and nobody is blamed`(
      atOnce: Bool
    ) async throws {
      let tokens = Tokens()
      if atOnce { tokens.isSignedIn = false } else { tokens.trouble.withLock { $0 = SignedOut() } }
      try await withOrigin(configuration(tokens.credentials()), Self.accepting("token-2")) {
        origin, source in
        let failure = await source.failure(origin.url("/a?token=secret"))
        #expect(failure == .signedOut(origin.url("/a?…")))
        #expect(failure?.needsSignIn == true)
        #expect(failure?.blamesOrigin == false && failure?.wasAnswered == false)
        #expect(origin.requests.count == (atOnce ? 0 : 1))
      }
    }

    @Test func `the error of a closure is not quoted, and is not the origin's`() async throws {
      let tokens = Tokens()
      tokens.trouble.withLock { $0 = Quoting() }
      try await withOrigin(configuration(tokens.credentials()), Self.accepting("token-2")) {
        (origin, source) async throws in
        let failure = await source.failure(origin.url("/a"))
        #expect(failure == .credentials(origin.url("/a"), description: "Quoting"))
        #expect(failure?.blamesOrigin == false && failure?.wasAnswered == false)
        tokens.trouble.withLock { $0 = nil }
        #expect(try await source.fetch(origin.url("/a")).text == "for token-2")
      }
    }

    @Test(
      arguments: [
        HTTPFetchError.timedOut("https://tokens.example/", after: .seconds(1)),
        .status(503, url: "https://tokens.example/", bodyPrefix: "token-1", retryAfter: .zero),
      ])
    func `the failure of a closure's own request is not the origin's, and its words are not kept`(
      error: HTTPFetchError
    ) async throws {
      let tokens = Tokens()
      tokens.trouble.withLock { $0 = error }
      try await withOrigin(configuration(tokens.credentials()), Self.accepting("token-2")) {
        origin, source in
        let failure = await source.failure(origin.url("/a"))
        #expect(failure == .credentials(origin.url("/a"), description: "HTTPFetchError"))
        #expect(failure?.blamesOrigin == false && failure?.isUnreachable == false)
        #expect(failure?.retryAfter == nil)
      }
    }

    @Test func `where a closure's own request finds nobody signed in, nobody is`() async throws {
      let tokens = Tokens()
      tokens.trouble.withLock { $0 = HTTPFetchError.signedOut("https://tokens.example/") }
      try await withOrigin(configuration(tokens.credentials()), Self.accepting("token-2")) {
        origin, source in
        #expect(await source.failure(origin.url("/a")) == .signedOut(origin.url("/a")))
      }
    }

    @Test func `a renewal that hangs holds no request beyond its time, nor when it is cancelled`()
      async throws
    {
      let tokens = Tokens()
      tokens.latch.close()
      let clock = ManualClock()
      var configuration = configuration(tokens.credentials())
      (configuration.clock, configuration.timeout) = (clock, .seconds(30))
      try await withOrigin(configuration, Self.accepting("token-2")) { origin, source in
        async let late = source.failure(origin.url("/a"))
        // It waits by then, as it has begun the renewal.
        while tokens.renewals == 0 { await Task.yield() }
        let cancelled = Task { await source.failure(origin.url("/b")) }
        while origin.requests.count < 2 { await Task.yield() }
        cancelled.cancel()
        #expect(await cancelled.value == .cancelled(origin.url("/b")))
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(30))
        #expect(
          await late == .credentials(origin.url("/a"), description: "they took too long"))
        tokens.latch.open()
      }
    }

    @Test
    func `credentials that take too long are no silence of the origin, whoever has the same limit`()
      async throws
    {
      let (clock, latch, isAsked) = (ManualClock(), Latch(isOpen: false), Latch(isOpen: false))
      let credentials = Credentials(account: "anna") { _ in
        isAsked.open()
        try await latch.pass()
        return [:]
      }
      var configuration = configuration(credentials)
      (configuration.clock, configuration.timeout) = (clock, .seconds(30))
      try await withOrigin(configuration, Self.accepting("token-1")) {
        (origin, source) async throws in
        async let late = source.failure(origin.url("/a"))
        try await isAsked.pass()
        clock.advance(by: .seconds(29))
        let failure = await late
        #expect(failure == .credentials(origin.url("/a"), description: "they took too long"))
        #expect(failure?.blamesOrigin == false && failure?.isUnreachable == false)
        #expect(origin.requests.isEmpty)
        latch.open()
      }
    }

    @Test func `a renewal goes on without the request that began it, and serves the next one`()
      async throws
    {
      let tokens = Tokens()
      tokens.latch.close()
      try await withOrigin(configuration(tokens.credentials()), Self.accepting("token-2")) {
        (origin, source) async throws in
        let first = Task { await source.failure(origin.url("/a")) }
        while tokens.renewals == 0 { await Task.yield() }
        first.cancel()
        #expect(await first.value == .cancelled(origin.url("/a")))

        async let second = source.fetch(origin.url("/b"))
        while origin.requests.count < 2 { await Task.yield() }
        tokens.latch.open()
        #expect(try await second.text == "for token-2")
        #expect(tokens.renewals == 1)
      }
    }

    @Test(arguments: [true, false])
    func `a renewal that takes a minute fails, and another begins once it has returned`(
      obeysCancellation: Bool
    ) async throws {
      let tokens = Tokens()
      tokens.latch.close()
      let (clock, returned) = (ManualClock(), Latch(isOpen: false))
      let credentials = Credentials(account: "anna") {
        try tokens.headers($0)
      } renew: {
        defer { returned.open() }
        if obeysCancellation { return try await tokens.renew() }
        // The cancellation of this task reaches no other one.
        try await Task { try await tokens.renew() }.value
      }
      var configuration = configuration(credentials)
      configuration.clock = clock
      try await withOrigin(configuration, Self.accepting("token-2")) {
        (origin, source) async throws in
        async let first = source.failure(origin.url("/a"))
        while tokens.renewals == 0 { await Task.yield() }
        clock.advance(by: Credentials.renewalLimit)
        #expect(
          await first == .credentials(origin.url("/a"), description: "RenewalTimeout"))

        if obeysCancellation { try await returned.pass() }
        async let second = source.fetch(origin.url("/b"))
        while origin.requests.count < 2 { await Task.yield() }
        tokens.latch.open()
        #expect(try await second.text == "for token-2")
        #expect(tokens.renewals == (obeysCancellation ? 2 : 1))
      }
    }

    @Test func `a field that cannot be sent is refused without its value`() async throws {
      let credentials = Credentials(account: "anna") { _ in ["Authorization": "secret\nX: y"] }
      try await withOrigin(configuration(credentials)) { _ in
        .init()
      } test: { origin, source in
        let failure = await source.failure(origin.url("/a"))
        guard case .badConfiguration(let words) = failure else {
          Issue.record("\(String(describing: failure))")
          return
        }
        #expect(!words.contains("secret") && origin.requests.isEmpty)
      }
    }

    @Test func `a redirect to another origin carries no token, and asks for none`() async throws {
      let tokens = Tokens()
      let other = try await OriginServer.start { _ in .init(401) }
      let location = other.url("/")
      try await withOrigin(configuration(tokens.credentials())) { request in
        request.path == "/a" ? .init(307, ["Location": "/b"]) : .init(307, ["Location": location])
      } test: { origin, source in
        _ = await source.failure(origin.url("/a"))
        #expect(
          origin.requests.map { $0["Authorization"] } == ["Bearer token-1", "Bearer token-1"])
        #expect(other.requests.count == 1 && other.requests.first?["Authorization"] == nil)
        #expect(tokens.asked == [origin.url("/a"), origin.url("/b")])
        #expect(tokens.renewals == 0)
      }
      await other.stop()
    }

    @Test func `a push is repeated with the new token, under the same idempotency key`()
      async throws
    {
      let tokens = Tokens()
      try await withOrigin(configuration(tokens.credentials())) { request in
        request["Authorization"] == "Bearer token-2" ? .init(204, ["ETag": "\"1\""]) : .init(401)
      } test: { origin, source in
        let write = PendingWrite<[UInt8]>(
          key: "1", kind: .create, value: [1], idempotencyKey: "k", baseValidators: Validators())
        guard case .accepted(let details) = try await source.push(write, to: origin.url("/1"))
        else {
          Issue.record("not accepted")
          return
        }
        #expect(details.validators.entityTag == "\"1\"")
        #expect(origin.requests.map { $0["Idempotency-Key"] } == ["\"k\"", "\"k\""])
        #expect(origin.requests.map(\.body) == [[1], [1]])
      }
    }

    // MARK: Copies

    private func variant(
      _ response: String, by configuration: HTTPConfiguration
    ) throws -> String? {
      var plan = FetchPlan(
        address: try HTTPAddress("https://example.org/me"), configuration: configuration,
        previous: Previous<[UInt8]>?.none)
      return try #require(try plan.result(of: answer(200, response))).details.variant
    }

    @Test(arguments: ["", "Vary: Authorization"])
    func `a copy answers its account whatever the token, and no other`(response: String) throws {
      let anna = configuration(Tokens().credentials("anna"))
      let stored = try variant(response, by: anna)
      #expect(configuration(Tokens().credentials("anna")).selects(variant: stored))
      #expect(!configuration(Tokens().credentials("ben")).selects(variant: stored))
      #expect(!HTTPConfiguration().selects(variant: stored))
      #expect(stored?.contains("anna") == false)
    }

    @Test func `a copy that its source declares public answers every account`() throws {
      let stored = try variant(
        "Cache-Control: public", by: configuration(Tokens().credentials("anna")))
      #expect(configuration(Tokens().credentials("ben")).selects(variant: stored))
    }

    // MARK: With a store

    @Test func `work with an origin is held until somebody signs in, and goes on then`()
      async throws
    {
      let tokens = Tokens()
      tokens.isSignedIn = false
      try await withOrigin(configuration(tokens.credentials()), Self.accepting("token-1")) {
        origin, source in
        try await TemporaryStore.run { temporary in
          let name = try HTTPSource.origin(of: origin.url("/"))
          let pages = try temporary.store.bytes("pages", policy: .offlineFirst.origin(name))
          @Sendable func get() async throws(GetError) -> Answer<[UInt8]> {
            try await pages.get("a") { try await source.fetch(origin.url("/a"), previous: $0) }
          }
          for _ in 0..<2 {
            let failure = await #expect(throws: GetError.self) { try await get() }
            #expect(failure?.fetchFailure?.code == .held)
          }
          #expect(tokens.asked.count == 1 && origin.requests.isEmpty)

          tokens.isSignedIn = true
          try await temporary.store.endPause(origin: name)
          #expect(try await get().value == Array("for token-1".utf8))
        }
      }
    }
  }
#endif
