import Testing

@testable import FreshStore

@Suite struct UsedContentsTests {
  private func note(_ ids: ClosedRange<Int64>, in contents: UsedContents) {
    for id in ids { contents.note(ContentReference(id: id)) }
  }

  @Test func `of many values the last are known, of two generations at most`() {
    let contents = UsedContents(capacity: 3)
    note(1...6, in: contents)
    #expect(contents.all == [1, 2, 3, 4, 5, 6])
    // What is known already needs no room.
    note(4...6, in: contents)
    #expect(contents.all == [1, 2, 3, 4, 5, 6])
    note(7...7, in: contents)
    #expect(contents.all == [4, 5, 6, 7])
  }

  @Test func `a use is forgotten with the second turn after it`() {
    let contents = UsedContents()
    note(1...2, in: contents)
    contents.turn()
    #expect(contents.all == [1, 2])
    note(2...2, in: contents)
    contents.turn()
    #expect(contents.all == [2])
    contents.turn()
    #expect(contents.all.isEmpty)
  }
}
