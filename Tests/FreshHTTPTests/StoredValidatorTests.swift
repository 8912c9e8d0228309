#if HTTP
  internal import FreshStore
  internal import OriginServer
  internal import Testing

  @testable import FreshHTTP

  /// Validators of a stored value that need not have come from a response.
  @Suite struct StoredValidatorTests {
    private static let smuggling = [
      "\"1\"\r\nX-Smuggled: yes", "\"1\"\nX: y", "\"\u{0}\"", "\"\u{7F}\"",
    ]

    @Test(arguments: smuggling)
    func `a validator that would inject a header is not sent, and the fetch continues`(
      _ tag: String
    ) async throws {
      try await withOrigin { _ in
        .init(200, [:], body: "new")
      } test: { origin, source in
        let previous = copy(
          FetchDetails(validators: Validators(entityTag: tag, lastModified: tag)))

        let answer = try await source.fetch(origin.url("/a"), previous: previous)

        let request = try #require(origin.requests.first)
        #expect(answer.text == "new")
        #expect(request["X-Smuggled"] == nil && request["If-None-Match"] == nil)
        #expect(request["If-Modified-Since"] == nil)
      }
    }

    @Test(arguments: smuggling)
    func `a validator that would inject a header does not keep a write from being sent`(
      _ date: String
    ) async throws {
      try await withOrigin { _ in
        .init(204)
      } test: { origin, source in
        let write = PendingWrite<[UInt8]>(
          key: "1", kind: .replace, value: [1], idempotencyKey: "k",
          baseValidators: Validators(entityTag: date, lastModified: date), contentType: nil)

        _ = try await source.push(write, to: origin.url("/a"))

        let request = try #require(origin.requests.first)
        #expect(request["X-Smuggled"] == nil && request["If-Unmodified-Since"] == nil)
      }
    }

    @Test func `a valid validator is sent without the invalid other one`() async throws {
      try await withOrigin { _ in
        .init(200, [:], body: "new")
      } test: { origin, source in
        let validators = Validators(entityTag: "\"1\"", lastModified: "a\r\nb")

        _ = try await source.fetch(
          origin.url("/a"), previous: copy(FetchDetails(validators: validators)))

        #expect(origin.requests.first?["If-None-Match"] == "\"1\"")
      }
    }
  }
#endif
