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
