import Reachability
import Strategies
import Testing

@Suite struct ReachabilityEvidenceTests {
  private typealias Attempt = ReachabilityEvidence.Attempt

  /// Evidence of failures in network 3, one after the other at the given seconds; each failure delays the
  /// next attempt by half of its limit.
  private func failing(at seconds: Int...) -> ReachabilityEvidence {
    var evidence = ReachabilityEvidence()
    for second in seconds {
      let now = Duration.seconds(second)
      evidence.noteFailure(
        "timed out", of: Attempt(at: now, generation: 3), at: now, random: 0.5)
    }
    return evidence
  }

  @Test(arguments: [Reachability.online, .unknown("EPERM"), .offline("unplugged")])
  func `without evidence a state stays as it is`(state: Reachability) {
    var evidence = ReachabilityEvidence()
    #expect(evidence.refine(state, at: .zero, generation: 0) == state)
    #expect(evidence.pause(at: .zero, generation: 0) == nil)
    let isAdmitted = evidence.admit(at: .zero, generation: 0)
    #expect(isAdmitted)
  }

  @Test(arguments: [
    (Duration.zero, Reachability.validated), (.milliseconds(59_999), .validated),
    (.seconds(60), .online),
  ])
  func `a success validates the way for a minute`(age: Duration, state: Reachability) {
    var evidence = ReachabilityEvidence()
    evidence.noteSuccess(of: Attempt(at: .seconds(90), generation: 3), at: .seconds(100))
    #expect(evidence.refine(.online, at: .seconds(100) + age, generation: 3) == state)
    #expect(evidence.pause(at: .seconds(100) + age, generation: 3) == nil)
  }

  @Test func `failures make the way suspected until a success`() {
    var evidence = failing(at: 100)
    #expect(evidence.refine(.online, at: .seconds(100), generation: 3) == .suspected("timed out"))
    evidence = failing(at: 100, 101)
    #expect(
      evidence.refine(.unknown("EPERM"), at: .seconds(101), generation: 3)
        == .suspected("2 failures, last timed out"))
    evidence.noteSuccess(of: Attempt(at: .seconds(50), generation: 3), at: .seconds(102))
    #expect(evidence.refine(.online, at: .seconds(102), generation: 3) == .validated)
  }

  @Test func `a proof of being offline stands`() {
    var evidence = ReachabilityEvidence()
    evidence.noteSuccess(of: Attempt(at: .zero, generation: 3), at: .zero)
    #expect(
      evidence.refine(.offline("unplugged"), at: .zero, generation: 3) == .offline("unplugged"))
  }

  @Test func `a new network voids the evidence of the old one`() {
    var evidence = failing(at: 100)
    #expect(evidence.refine(.online, at: .seconds(100), generation: 4) == .online)
    #expect(evidence.pause(at: .seconds(100), generation: 4) == nil)
    let isAdmitted = evidence.admit(at: .seconds(100), generation: 4)
    #expect(isAdmitted)
    evidence.noteFailure(
      "no answer", of: Attempt(at: .seconds(101), generation: 4), at: .seconds(102), random: 0)
    #expect(evidence.refine(.online, at: .seconds(102), generation: 4) == .suspected("no answer"))
  }

  @Test func `a fetch that began in the old network is no evidence about the new one`() {
    var evidence = ReachabilityEvidence()
    evidence.noteSuccess(of: Attempt(at: .seconds(100), generation: 4), at: .seconds(100))
    evidence.noteFailure(
      "timed out", of: Attempt(at: .seconds(101), generation: 3), at: .seconds(102), random: 0)
    #expect(evidence.refine(.online, at: .seconds(102), generation: 4) == .validated)
    evidence = failing(at: 100)
    evidence.noteSuccess(of: Attempt(at: .seconds(101), generation: 2), at: .seconds(102))
    #expect(evidence.refine(.online, at: .seconds(102), generation: 3) == .suspected("timed out"))
  }

  @Test func `fetches that failed concurrently count once`() {
    var evidence = failing(at: 100)
    evidence.noteFailure(
      "later", of: Attempt(at: .milliseconds(99_999), generation: 3), at: .seconds(101), random: 0)
    #expect(evidence.refine(.online, at: .seconds(101), generation: 3) == .suspected("timed out"))
  }

  @Test func `a fetch that began the moment another failed counts`() {
    let evidence = failing(at: 100, 100)
    #expect(
      evidence.refine(.online, at: .seconds(100), generation: 3)
        == .suspected("2 failures, last timed out"))
  }

  @Test func `a fetch that began the moment another succeeded counts`() {
    var evidence = ReachabilityEvidence()
    evidence.noteSuccess(of: Attempt(at: .seconds(99), generation: 3), at: .seconds(100))
    evidence.noteFailure(
      "timed out", of: Attempt(at: .seconds(100), generation: 3), at: .seconds(101), random: 0)
    #expect(evidence.refine(.online, at: .seconds(101), generation: 3) == .suspected("timed out"))
  }

  @Test func `a fetch that began before a success and failed after it adds no evidence`() {
    var evidence = ReachabilityEvidence()
    evidence.noteSuccess(of: Attempt(at: .seconds(99), generation: 3), at: .seconds(100))
    evidence.noteFailure(
      "timed out", of: Attempt(at: .seconds(98), generation: 3), at: .seconds(101), random: 0)
    #expect(evidence.refine(.online, at: .seconds(101), generation: 3) == .validated)
  }

  @Test(arguments: [
    (1, Duration.milliseconds(500)), (2, .seconds(1)), (3, .seconds(2)), (6, .seconds(16)),
    (7, .seconds(30)), (8, .seconds(30)), (200, .seconds(30)),
  ])
  func `the pause doubles with each failure, up to a minute, with full jitter`(
    failures: Int, pause: Duration
  ) {
    var evidence = ReachabilityEvidence()
    for second in 1...failures {
      let now = Duration.seconds(second)
      evidence.noteFailure("silence", of: Attempt(at: now, generation: 0), at: now, random: 0.5)
    }
    #expect(evidence.pause(at: .seconds(failures), generation: 0) == pause)
    #expect(evidence.pause(at: .seconds(failures) + pause, generation: 0) == nil)
  }

  @Test func `a due attempt is let through and the next one is put off`() {
    var evidence = failing(at: 100)
    let isAdmittedEarly = evidence.admit(at: .milliseconds(100_499), generation: 3)
    let isAdmitted = evidence.admit(at: .milliseconds(100_500), generation: 3)
    let isAdmittedTwice = evidence.admit(at: .milliseconds(100_500), generation: 3)
    let isAdmittedLater = evidence.admit(at: .milliseconds(101_500), generation: 3)
    #expect(!isAdmittedEarly && isAdmitted && !isAdmittedTwice && isAdmittedLater)
    #expect(
      evidence.refine(.online, at: .milliseconds(101_500), generation: 3)
        == .suspected("timed out"))
  }
}
