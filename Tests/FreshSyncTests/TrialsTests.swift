import Testing

@testable import FreshSync

@Suite struct TrialsTests {
  @Test(arguments: [Int.max, .min, -1, 0, 7])
  func `every turn number gives every kind its turn`(_ turn: Int) {
    #expect(Set((0..<3).map { Trials.kind(at: turn, after: $0) }).count == 3)
  }
}
