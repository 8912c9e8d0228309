import StoreSupport
import Strategies
import Synchronization
import Testing

@testable import FreshStore

/// The blame of a failed fetch: its origin and the way there.
@Suite struct FetchFailureTests {
  private static func thrown(_ error: any Error) -> FetchFailure {
    FetchFailure(.thrown, "it failed", underlying: error)
  }

  @Test func `an error without details says nothing of the origin, or the route`() {
    struct Plain: Error {}
    #expect(!Self.thrown(Plain()).blamesOrigin)
    guard case .unknown = Self.thrown(Plain()).verdict else {
      Issue.record("it counts as an answer")
      return
    }
    #expect(!Self.thrown(Plain()).isUnreachable)
  }

  @Test(arguments: [true, false]) func `an error with details decides about the blame`(
    _ answer: Bool
  ) {
    #expect(Self.thrown(OriginFailure(blamesOrigin: answer)).blamesOrigin == answer)
    #expect(Self.thrown(OriginFailure(isUnreachable: answer)).isUnreachable == answer)
  }

  @Test func `a fetch that takes too long blames both`() {
    let failure = FetchFailure(.timedOut(after: .seconds(1)), "it took too long")
    #expect(failure.blamesOrigin && failure.isUnreachable)
  }

  @Test func `a failure before or after the fetch blames neither`() {
    let moment = Timestamp(millisecondsSinceEpoch: 0)
    let codes: [FetchFailure.Code] = [
      .notStorable, .notModifiedWithoutCopy, .notAnswered, .originIsDown(until: moment),
      .pausing(until: moment), .cancelled,
    ]
    for code in codes {
      let failure = FetchFailure(code, "no fetch failed")
      #expect(!failure.blamesOrigin && !failure.isUnreachable)
    }
  }

  /// An error that counts how often it is asked for its pause.
  private final class Counting: FetchErrorTraits {
    let count = Atomic<Int>(0)
    var blamesOrigin: Bool { true }
    var retryAfter: Duration? {
      count.add(1, ordering: .relaxed)
      return .seconds(9)
    }
  }

  @Test func `an error is asked once, and not while its failure is stored`() {
    let error = Counting()
    let failure = Self.thrown(error)
    for _ in 0..<3 { _ = (failure.retryAfter, failure.verdict, failure.pause(own: .zero)) }
    #expect(failure.retryAfter == .seconds(9))
    #expect(error.count.load(ordering: .relaxed) == 1)
  }
}
