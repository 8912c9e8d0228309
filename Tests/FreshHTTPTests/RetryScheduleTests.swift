internal import FreshStore
internal import Testing

@testable import FreshHTTP

@Suite struct RetryScheduleTests {
  private static let failure = HTTPFetchError.status(503, url: "u", bodyPrefix: "", retryAfter: nil)

  private func pauses(
    _ attempts: Int, random: Double, within left: Duration = .seconds(3600)
  ) -> [Duration?] {
    var schedule = RetrySchedule(attempts, random: { random })
    return (0..<attempts + 1).map { _ in schedule.pause(after: Self.failure, within: left) }
  }

  @Test func `each wait is twice as long as the one before, and the last failure stands`() {
    #expect(
      pauses(4, random: 0) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8), nil])
  }

  @Test func `chance takes up to half of a wait away`() {
    #expect(pauses(2, random: 0.5) == [.milliseconds(750), .milliseconds(1500), nil])
    #expect(pauses(1, random: 1) == [.milliseconds(500), nil])
  }

  @Test func `no wait is longer than ten minutes`() {
    #expect(pauses(20, random: 0).dropLast().last == .seconds(600))
  }

  @Test func `a wait that leaves no time is none`() {
    #expect(pauses(3, random: 0, within: .seconds(2)) == [.seconds(1), nil, nil, nil])
  }

  @Test func `no attempts mean no wait`() {
    #expect(pauses(0, random: 0) == [nil])
  }

  @Test(
    arguments: [
      (Duration.zero, Duration.seconds(1)), (.seconds(7), .seconds(7)),
      (.seconds(59), .seconds(59)),
      (.seconds(60), nil),
    ] as [(Duration, Duration?)])
  func `the origin's own wait goes first, if it fits and is one`(
    stated: Duration, expected: Duration?
  ) {
    var schedule = RetrySchedule(1, random: { 0 })
    let failure = HTTPFetchError.status(429, url: "u", bodyPrefix: "", retryAfter: stated)
    #expect(schedule.pause(after: failure, within: .seconds(60)) == expected)
  }

  @Test(arguments: [
    (HTTPFetchError.timedOut("u", after: .seconds(1)), true),
    (.unreachable("u", description: "no route to host"), true),
    (.transport("u", description: "connection refused"), true),
    (.status(408, url: "u", bodyPrefix: "", retryAfter: nil), true),
    (.status(429, url: "u", bodyPrefix: "", retryAfter: nil), true),
    (.status(500, url: "u", bodyPrefix: "", retryAfter: nil), true),
    (.status(501, url: "u", bodyPrefix: "", retryAfter: nil), false),
    (.status(502, url: "u", bodyPrefix: "", retryAfter: nil), true),
    (.status(504, url: "u", bodyPrefix: "", retryAfter: nil), true),
    (.status(401, url: "u", bodyPrefix: "", retryAfter: nil), false),
    (.tls("u", .untrusted(host: "h")), false),
    (.proxy("u", proxy: "p:1", description: "it asks for credentials"), false),
    (.shortage("u", description: "too many open files"), false), (.malformedAnswer("u"), false),
    (.damagedBody("u"), false), (.tooLarge("u", limit: 1), false), (.cancelled("u"), false),
    (.redirectLoop("u"), false),
  ])
  func `only a failure that may pass is worth another attempt`(
    failure: HTTPFetchError, isTransient: Bool
  ) {
    var schedule = RetrySchedule(1)
    #expect((schedule.pause(after: failure, within: .seconds(60)) != nil) == isTransient)
  }
}
