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
