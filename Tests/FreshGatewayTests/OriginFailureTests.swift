internal import FreshHTTP
internal import Strategies
internal import Testing

@testable import FreshGateway
@testable import FreshStore

/// Which requests without an answer are counted as failures of their origin.
@Suite struct OriginFailureTests {
  private static let end = Timestamp(millisecondsSinceEpoch: 0)

  @Test(
    arguments: [
      (.timedOut(after: .seconds(1)), true), (.cancelled, false), (.held, false),
      (.offline, false), (.originIsDown(until: end), false), (.pausing(until: end), false),
    ] as [(FetchFailure.Code, Bool)])
  func `what was not asked, or was given up, is none`(code: FetchFailure.Code, isOfOrigin: Bool) {
    #expect(FetchFailure(code, "it failed").isOfOrigin == isOfOrigin)
  }

  @Test(
    arguments: [
      (.shortage("u", description: "d"), 503), (.transport("u", description: "d"), 502),
      (.unreachable("u", description: "d"), 504),
    ] as [(HTTPFetchError, Int)])
  func `what this gateway lacks is not said to be the origin's`(
    error: HTTPFetchError, status: Int
  ) {
    let failure = FetchFailure(.thrown, "it failed", underlying: error)
    #expect(failure.noAnswer(at: Self.end).status == status)
  }

  @Test func `clients of a proxy hear why, and others not where the origin is`() {
    let error = HTTPFetchError.transport("u", description: "connection refused")
    let failure = FetchFailure(.thrown, "it failed", underlying: error)
    let words = [false, true].map { failure.noAnswer(at: Self.end, namingCause: $0).words }
    #expect(words == ["the connection to the origin failed", "connection refused"])
  }

  @Test func `a certificate that is not trusted is told with the option for its issuer`() {
    let error = HTTPFetchError.tls("u", .untrusted(host: "h"))
    let failure = FetchFailure(.thrown, "it failed", underlying: error)
    #expect(failure.reason.contains("name its issuer by --cacert"))
  }

  @Test func `a pause after no answer is not said to be one that the origin has asked for`() {
    let words = FetchFailure(.pausing(until: Self.end), "it failed").words
    #expect(
      words == "the origin gave no answer when it was last asked, and is left alone until "
        + "Thu, 01 Jan 1970 00:00:00 GMT")
  }

  @Test(
    arguments: [
      (.transport("u", description: "d"), true, .request), (.malformedAnswer("u"), true, .request),
      (.timedOut("u", after: .seconds(1)), true, .request),
      (.transport("u", description: "d"), false, .all),
      (.unreachable("u", description: "d"), true, .all),
      (.shortage("u", description: "d"), true, .all),
    ] as [(HTTPFetchError, Bool, NoAnswer.Concern)])
  func `what came to nothing over a connection may concern one request alone`(
    error: HTTPFetchError, wasConnected: Bool, concern: NoAnswer.Concern
  ) {
    let failure = FetchFailure(.thrown, "it failed", underlying: error)
    #expect(failure.concern(wasConnected: wasConnected) == concern)
  }

  @Test(
    arguments: [
      (.timedOut(after: .seconds(1)), .request), (.cancelled, .all), (.held, .all),
      (.offline, .all), (.originIsDown(until: end), .all), (.pausing(until: end), .all),
    ] as [(FetchFailure.Code, NoAnswer.Concern)])
  func `what was not asked concerns all`(code: FetchFailure.Code, concern: NoAnswer.Concern) {
    #expect(FetchFailure(code, "it failed").concern(wasConnected: true) == concern)
  }

  @Test(
    arguments: [
      (.transport("u", description: "d"), true), (.malformedAnswer("u"), true),
      (.timedOut("u", after: .seconds(1)), true), (.shortage("u", description: "d"), false),
      (.cancelled("u"), false),
    ] as [(HTTPFetchError, Bool)])
  func `what this side lacks is none`(error: HTTPFetchError, isOfOrigin: Bool) {
    let failure = FetchFailure(.thrown, "it failed", underlying: error)
    #expect(failure.isOfOrigin == isOfOrigin)
    #expect(!FetchFailure(.held, "nobody is signed in", underlying: error).isOfOrigin)
  }
}
