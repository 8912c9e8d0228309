#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Testing

  @testable import FreshHTTP

  @Suite struct DeadlineFetchTests {
    @Test(arguments: [false, true])
    func `a fetch ends at its deadline, before the answer or in its body`(sendsHead: Bool)
      async throws
    {
      let clock = ManualClock()
      let arrived = Gate()
      try await withOrigin(HTTPConfiguration(timeout: .seconds(30), clock: clock)) { _ in
        arrived.open()
        return sendsHead
          ? .init(200, ["Content-Length": "100"], steps: [.send("half"), .wait(Gate())])
          : .init(raw: [.wait(Gate())])
      } test: { origin, source in
        async let failure = source.failure(origin.url("/a"))
        await arrived.wait()
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(30))
        #expect(await failure == .timedOut(origin.url("/a"), after: .seconds(30)))
      }
    }

    @Test func `the deadline covers redirects, too`() async throws {
      let clock = ManualClock()
      let arrived = Gate()
      try await withOrigin(HTTPConfiguration(timeout: .seconds(30), clock: clock)) { request in
        guard request.path == "/b" else { return .init(302, ["Location": "/b"]) }
        arrived.open()
        return .init(raw: [.wait(Gate())])
      } test: { origin, source in
        async let failure = source.failure(origin.url("/a"))
        await arrived.wait()
        clock.advance(by: .seconds(30))
        #expect(await failure == .timedOut(origin.url("/a"), after: .seconds(30)))
      }
    }

    @Test func `cancelling the task ends the fetch`() async throws {
      let arrived = Gate()
      try await withOrigin(HTTPConfiguration(clock: ManualClock())) { _ in
        arrived.open()
        return .init(raw: [.wait(Gate())])
      } test: { origin, source in
        let task = Task { await source.failure(origin.url("/a")) }
        await arrived.wait()
        task.cancel()
        #expect(await task.value == .cancelled(origin.url("/a")))
      }
    }

    @Test func `a fetch in a cancelled task sends nothing`() async throws {
      try await withOrigin { _ in
        .init()
      } test: { origin, source in
        let gate = Gate()
        let task = Task {
          await gate.wait()
          return await source.failure(origin.url("/a"))
        }
        task.cancel()
        #expect(await task.value == .cancelled(origin.url("/a")))
        #expect(origin.requests.isEmpty)
      }
    }

    @Test func `a refused connection is a transport error`() async throws {
      let port = try ClosedPort()
      let url = "http://127.0.0.1:\(port.number)/a"
      let source = try HTTPSource()
      let failure = await source.failure(url)
      await source.close()
      #expect(failure == .transport(url, description: "connection refused"))
    }

    @Test func `an address that cannot be sent to is unreachable`() async throws {
      // No connection can be made to a broadcast address: the kernel reports that at once.
      let url = "http://127.255.255.255/a"
      let source = try HTTPSource()
      let failure = await source.failure(url)
      await source.close()
      #expect(failure == .unreachable(url, description: "network is unreachable"))
    }

    @Test func `a closed source refuses to fetch`() async throws {
      try await withOrigin { _ in
        .init()
      } test: { origin, source in
        await source.close()
        await source.close()
        let expected = HTTPFetchError.transport(
          origin.url("/a"), description: "the source was closed")
        #expect(await source.failure(origin.url("/a")) == expected)
      }
    }

    @Test func `closing a source aborts its fetches under way`() async throws {
      let arrived = Gate()
      try await withOrigin(HTTPConfiguration(clock: ManualClock())) { _ in
        arrived.open()
        return .init(raw: [.wait(Gate())])
      } test: { origin, source in
        async let failure = source.failure(origin.url("/a"))
        await arrived.wait()
        await source.close()
        #expect(await failure != nil)
      }
    }

    @Test func `a fetch queued for longer than the connection timeout is answered`() async throws {
      let patient = HTTPConfiguration(
        connectTimeout: .milliseconds(50), timeout: .seconds(300), maximumConnectionsPerHost: 1)
      let arrived = Gate()
      let release = Gate()
      try await withOrigin(patient) { request in
        guard request.path == "/first" else { return .init(body: "second") }
        arrived.open()
        return .init(200, ["Content-Length": "5"], steps: [.wait(release), .send("first")])
      } test: { origin, source in
        async let first = source.failure(origin.url("/first"))
        await arrived.wait()
        async let second = source.failure(origin.url("/second"))
        // Two consecutive TLS handshakes without an answer take twice that time.
        let silent = origin.url("/silent").replacing("http://", with: "https://")
        for _ in 0..<3 { _ = await source.failure(silent) }
        release.open()
        let failures = await (first, second)
        #expect(failures == (nil, nil))
      }
    }

    @Test func `a hundred concurrent fetches are all answered`() async throws {
      // They share a few connections, and the machine may be slow.
      let patient = HTTPConfiguration(connectTimeout: .seconds(300), timeout: .seconds(300))
      try await withOrigin(patient) { request in
        .init(body: request.path)
      } test: { origin, source in
        let texts = try await withThrowingTaskGroup { group in
          for number in 0..<100 {
            group.addTask { try await source.fetch(origin.url("/\(number)")).text ?? "" }
          }
          return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts == Set((0..<100).map { "/\($0)" }))
      }
    }
  }
#endif
