import Testing

@testable import FreshGateway

/// What the file does not take is not tried again with every answer.
@Suite struct StorePauseTests {
  @Test func `ten seconds after a failure long answers are kept again`() {
    let pause = StorePause()
    #expect(pause.isOver(at: 0))
    pause.fail(at: 5)
    #expect(!pause.isOver(at: 10_004))
    #expect(pause.isOver(at: 10_005))
  }
}
