import FreshStore
import FreshStoreTesting
import Testing

@testable import FreshSync

@Suite struct TurnTests {
  @Test(arguments: [[1, 60], [60, 1]])
  func `the shorter of two pauses of one origin decides when to look again`(_ pauses: [Int]) {
    let now = ManualClock().reading()
    var turn = Turn(at: now, nextLook: .seconds(300))
    turn.note(pauses.map { (origin: "h", availability: .paused(.seconds($0))) })

    #expect(turn.nextLook == now.steady + .seconds(1))
    #expect(turn.pauses["h"] == .seconds(1))
  }

  @Test func `an attempt that was not made just now shortens no pause`() {
    let now = ManualClock().reading()
    var turn = Turn(at: now, nextLook: .seconds(300))
    turn.refusals["h"] = .milliseconds(500)
    turn.note([(origin: "h", availability: .paused(.seconds(2)))])

    #expect(turn.pauses["h"] == .seconds(2))
    #expect(turn.nextLook == now.steady + .seconds(2))
  }
}
