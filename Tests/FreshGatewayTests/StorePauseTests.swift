import Testing

@testable import FreshGateway

/// After a failure of the file, the gateway stores no long answers for ten seconds.
@Suite struct StorePauseTests {
  @Test func `ten seconds after a failure long answers are kept again`() {
    let pause = StorePause()
    #expect(pause.isOver(at: 0))
    pause.fail(at: 5)
    #expect(!pause.isOver(at: 10_004))
    #expect(pause.isOver(at: 10_005))
  }
}
