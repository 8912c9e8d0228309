import Testing

@testable import FreshStore

@Suite struct RecentUsesTests {
  private func note(_ numbers: ClosedRange<Int64>, in uses: RecentUses) {
    for number in numbers { uses.note(number) }
  }

  @Test func `of many numbers the last are known, of two generations at most`() {
    let uses = RecentUses(capacity: 3)
    note(1...6, in: uses)
    #expect(uses.all == [1, 2, 3, 4, 5, 6])
    // A known number needs no room.
    note(4...6, in: uses)
    #expect(uses.all == [1, 2, 3, 4, 5, 6])
    note(7...7, in: uses)
    #expect(uses.all == [4, 5, 6, 7])
  }

  @Test func `a use is forgotten with the second turn after it`() {
    let uses = RecentUses()
    note(1...2, in: uses)
    uses.turn()
    #expect(uses.all == [1, 2])
    note(2...2, in: uses)
    uses.turn()
    #expect(uses.all == [2])
    uses.turn()
    #expect(uses.all.isEmpty)
  }
}
