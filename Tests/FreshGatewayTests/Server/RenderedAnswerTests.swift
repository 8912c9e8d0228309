#if Gateway
  internal import FreshHTTP
  internal import NIOCore
  internal import Testing

  @testable import FreshGateway

  /// A head that was rendered for somebody else is the one that would be.
  @Suite struct RenderedAnswerTests {
    private let content = ContentBytes(
      content: .whole(5), bytes: ByteBuffer(string: "hello"))

    private func rendered(
      _ copy: StoredAnswer, to version: IncomingRequest.Version = .http11, keeps: Bool = true,
      after milliseconds: Int = 0
    ) throws -> String {
      let candidate = Candidate(copy, residentTime: .milliseconds(milliseconds))
      let plan = try #require(semantics.decide(try request(), among: [candidate]).answer)
      let answer = RenderedAnswer(plan, content, to: version, keepsConnection: keeps, date: "now")
      #expect(answer.buffers.count == 1)
      #expect(answer.length == 5)
      return answer.buffers.map { String(buffer: $0) }.joined()
    }

    @Test func `each connection is told of itself, and each second of its age`() throws {
      let text = "Cache-Control: max-age=600 | ETag: \"a\""
      let copy = try stored(text, length: 5)
      for _ in 1...4 {
        let connections: [(IncomingRequest.Version, Bool)] = [
          (.http11, true), (.http11, false), (.http10, true), (.http11, true),
        ]
        for (version, keeps) in connections {
          for milliseconds in [0, 1, 2, 1000, 1001, 1002] {
            let other = try stored(text, length: 5)
            #expect(
              try rendered(copy, to: version, keeps: keeps, after: milliseconds)
                == rendered(other, to: version, keeps: keeps, after: milliseconds))
          }
        }
      }
      #expect(try rendered(copy).hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(try rendered(copy).hasSuffix("\r\n\r\nhello"))
    }
  }
#endif
