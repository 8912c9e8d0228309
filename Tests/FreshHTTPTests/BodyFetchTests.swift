#if HTTP
  internal import FreshStore
  internal import OriginServer
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  @Suite struct BodyFetchTests {
    private static let small = HTTPConfiguration(maximumBodyBytes: 1000)

    /// Lets every task go on once this many have arrived.
    private final class Turnstile: Sendable {
      private let gate = Gate()
      private let count = Mutex(0)
      private let most: Int

      init(_ most: Int) { self.most = most }

      func pass() async {
        let isLast = count.withLock { count in
          count += 1
          return count == most
        }
        if isLast { gate.open() }
        await gate.wait()
      }
    }

    @Test(.timeLimit(.minutes(1)))
    func `fifty concurrent requests all reach the source at once`() async throws {
      let turnstile = Turnstile(50)
      try await withOrigin { _ in
        await turnstile.pass()
        return .init(200, [:], body: [1])
      } test: { origin, source in
        await withTaskGroup(of: Bool.self) { group in
          for number in 1...50 {
            let url = origin.url("/\(number)")
            group.addTask { await source.failure(url) == nil }
          }
          #expect(await group.allSatisfy { $0 })
        }
      }
    }

    @Test func `a compressed body is decompressed`() async throws {
      let text = String(repeating: "hello ", count: 20_000)
      try await withOrigin { _ in
        .init(200, ["Content-Encoding": "gzip"], body: Gzip.stored(Array(text.utf8)))
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.text == text)
      }
    }

    @Test func `an empty body is empty, whatever its stated coding`() async throws {
      try await withOrigin { _ in
        .init(200, ["Content-Encoding": "gzip"], body: [])
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.text == "")
      }
    }

    @Test func `the limit holds after decompression`() async throws {
      try await withOrigin(Self.small) { _ in
        .init(200, ["Content-Encoding": "gzip"], body: Gzip.zeros(atLeast: 100_000))
      } test: { origin, source in
        let expected = HTTPFetchError.tooLarge(origin.url("/a"), limit: 1000)
        #expect(await source.failure(origin.url("/a")) == expected)
      }
    }

    @Test func `a compressed body within the limit is accepted`() async throws {
      try await withOrigin(Self.small) { _ in
        .init(200, ["Content-Encoding": "gzip"], body: Gzip.zeros(atLeast: 775))
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.text?.utf8.count == 775)
      }
    }

    @Test(arguments: [1, 60]) func `a damaged compressed body is an error`(kept: Int) async throws {
      let body = Array(Gzip.stored(Array("hello hello hello hello hello hello".utf8)).prefix(kept))
      try await withOrigin { _ in
        .init(200, ["Content-Encoding": "gzip"], body: kept == 1 ? body : Array(body.dropLast(12)))
      } test: { origin, source in
        let error = await source.failure(origin.url("/a"))
        #expect(error == .damagedBody(origin.url("/a")))
      }
    }

    @Test func `a body with too large a stated length is refused unread`() async throws {
      try await withOrigin(Self.small) { _ in
        .init(200, ["Content-Length": "1001"], steps: [.wait(Gate())])
      } test: { origin, source in
        let expected = HTTPFetchError.tooLarge(origin.url("/a"), limit: 1000)
        #expect(await source.failure(origin.url("/a")) == expected)
      }
    }

    @Test func `a body without a stated length is cut off at the limit`() async throws {
      try await withOrigin(Self.small) { _ in
        .init(200, [:], steps: [.send(String(repeating: "x", count: 1001)), .wait(Gate())])
      } test: { origin, source in
        let expected = HTTPFetchError.tooLarge(origin.url("/a"), limit: 1000)
        #expect(await source.failure(origin.url("/a")) == expected)
      }
    }

    @Test func `a body of exactly the limit is accepted`() async throws {
      let text = String(repeating: "x", count: 1000)
      try await withOrigin(Self.small) { _ in
        .init(body: text)
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.text == text)
      }
    }

    @Test func `a body shorter than its stated length is an error, never half a value`()
      async throws
    {
      try await withOrigin { _ in
        .init(200, ["Content-Length": "100"], steps: [.send("half"), .close])
      } test: { origin, source in
        guard case .transport(origin.url("/a"), _) = await source.failure(origin.url("/a")) else {
          Issue.record("half a body was accepted")
          return
        }
      }
    }

    @Test func `a truncated chunked body is an error`() async throws {
      try await withOrigin { _ in
        .init(200, ["Transfer-Encoding": "chunked"], steps: [.send("4\r\nhalf\r\n"), .close])
      } test: { origin, source in
        guard case .transport(origin.url("/a"), _) = await source.failure(origin.url("/a")) else {
          Issue.record("half a body was accepted")
          return
        }
      }
    }

    @Test func `bytes are handed over unchanged`() async throws {
      let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try await withOrigin { _ in
        .init(200, [:], body: bytes)
      } test: { origin, source in
        guard case .value(bytes, _) = try await source.fetch(origin.url("/a")) else {
          Issue.record("other bytes")
          return
        }
      }
    }
  }
#endif
