import Strategies
import Testing

@Suite struct ReachabilityEvidenceTests {
  private let now = ContinuousClock.now

  @Test(arguments: [Reachability.online, .unknown("EPERM"), .offline("unplugged")])
  func `without evidence a state stays as it is`(state: Reachability) {
    #expect(ReachabilityEvidence().refine(state, at: now, generation: 0) == state)
  }

  @Test(arguments: [
    (Duration.zero, Reachability.validated), (.seconds(59), .validated), (.seconds(60), .online),
  ])
  func `a success validates the way for a minute`(age: Duration, state: Reachability) {
    var evidence = ReachabilityEvidence()
    evidence.noteSuccess(at: now, generation: 3)
    #expect(evidence.refine(.online, at: now + age, generation: 3) == state)
  }

  @Test func `failures make the way suspected until a success`() {
    var evidence = ReachabilityEvidence()
    evidence.noteFailure("timed out", generation: 3)
    #expect(evidence.refine(.online, at: now, generation: 3) == .suspected("timed out"))
    evidence.noteFailure("timed out", generation: 3)
    #expect(
      evidence.refine(.unknown("EPERM"), at: now, generation: 3)
        == .suspected("2 failures, last timed out"))
    evidence.noteSuccess(at: now, generation: 3)
    #expect(evidence.refine(.online, at: now, generation: 3) == .validated)
  }

  @Test func `a proof of being offline stands`() {
    var evidence = ReachabilityEvidence()
    evidence.noteSuccess(at: now, generation: 3)
    #expect(
      evidence.refine(.offline("unplugged"), at: now, generation: 3) == .offline("unplugged"))
  }

  @Test func `a new network voids the evidence of the old one`() {
    var evidence = ReachabilityEvidence()
    evidence.noteFailure("timed out", generation: 3)
    #expect(evidence.refine(.online, at: now, generation: 4) == .online)
    evidence.noteFailure("refused by a router", generation: 4)
    #expect(evidence.refine(.online, at: now, generation: 4) == .suspected("refused by a router"))
  }

  @Test func `a fetch that began in the old network says nothing of the new one`() {
    var evidence = ReachabilityEvidence()
    evidence.noteSuccess(at: now, generation: 4)
    evidence.noteFailure("timed out", generation: 3)
    #expect(evidence.refine(.online, at: now, generation: 4) == .validated)
  }
}
