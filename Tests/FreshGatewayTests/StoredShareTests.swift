internal import Testing

@testable import FreshGateway

@Suite struct StoredShareTests {
  @Test(arguments: [(1, 1 << 20), (16 << 20, 1 << 20), (320 << 20, 20 << 20)])
  func `room is made once a sixteenth of the limit, or a mebibyte, was stored`(
    limit: Int, share: Int
  ) {
    let stored = PruneTrigger(of: limit)
    for _ in 1...2 {
      #expect(!stored.add(share - 1))
      #expect(stored.add(1))
    }
    #expect(stored.add(5 * share))
    #expect(!stored.add(share - 1))
  }

  @Test func `without a limit none is made`() {
    #expect(!PruneTrigger(of: nil).add(.max))
  }
}
