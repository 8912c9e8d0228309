import Testing

@testable import FreshGateway

/// Operators hear that connections to origins run short, and not of each request that is refused for it.
@Suite struct ConnectionShortageTests {
  @Test func `a change is told once, with its reason`() {
    let shortage = ConnectionShortage()
    #expect(shortage.serve(at: 0) == nil)
    #expect(
      shortage.refuse("all are in use", at: 1)
        == "requests are refused for want of connections to the origin: all are in use")
    #expect(shortage.refuse("all are in use", at: 30_000) == nil)
    #expect(shortage.serve(at: 89_999) == nil)
    #expect(
      shortage.serve(at: 90_000) == "no requests are refused for want of connections any longer")
    #expect(shortage.serve(at: 200_000) == nil)
  }
}
