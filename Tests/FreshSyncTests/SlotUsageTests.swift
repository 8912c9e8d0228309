import Testing

@testable import FreshSync

/// The slots that sources may take beside each other.
@Suite struct SlotUsageTests {
  private func slot(
    _ origin: String, isLarge: Bool = false, isTrial: Bool = false
  ) -> SlotUsage.Slot {
    let account = RunProgress.Account(collection: "numbers", origin: origin)
    return SlotUsage.Slot(
      lane: RunProgress.Lane(account: account, isLarge: isLarge), availability: account,
      isTrial: isTrial)
  }

  /// Takes as many slots as there are for one slot after the other, again and again; returns their number.
  private func fill(_ usage: inout SlotUsage, with wanted: [SlotUsage.Slot]) -> Int {
    var taken = 0
    while let next = wanted.first(where: { usage.isFree($0) }) {
      usage.take(next)
      taken += 1
    }
    return taken
  }

  @Test(arguments: [false, true])
  func `two sources that hang leave a slot for others, and for their large bodies`(
    isLarge: Bool
  ) {
    var usage = SlotUsage(of: 8, perOrigin: 4)
    let hanging = ["a", "b"].map { slot($0, isLarge: isLarge) }
    #expect(fill(&usage, with: hanging) == (isLarge ? 3 : 7))
    #expect(usage.isFree(slot("c", isLarge: isLarge)))
    usage.take(slot("c", isLarge: isLarge))
    usage.giveBack(hanging[0])
    #expect(usage.isFree(hanging[1]))
  }

  @Test func `a source whose share is all there is takes all slots`() {
    var usage = SlotUsage(of: 4, perOrigin: 4)
    #expect(fill(&usage, with: [slot("a")]) == 4)
    #expect(!usage.isFree(slot("b")))
    var one = SlotUsage(of: 1, perOrigin: 4)
    #expect(fill(&one, with: [slot("a", isLarge: true)]) == 1)
  }

  @Test func `three sources take all slots between them`() {
    var usage = SlotUsage(of: 5, perOrigin: 2)
    #expect(fill(&usage, with: ["a", "b", "c"].map { slot($0) }) == 5)
  }

  @Test(arguments: [(8, 4), (3, 1), (1, 1)])
  func `all sources on trial together take half of the slots`(slots count: Int, half: Int) {
    var usage = SlotUsage(of: count, perOrigin: 4)
    let trials = (0..<20).map { slot("\($0)", isTrial: true) }
    #expect(fill(&usage, with: trials) == half)
    #expect(usage.isFree(slot("answers")) == (count > half))
    usage.giveBack(trials[0])
    #expect(usage.isFree(trials[19]))
  }

  @Test func `of the slots for trials, large bodies leave half to small ones`() {
    var usage = SlotUsage(of: 8, perOrigin: 4)
    let large = (0..<20).map { slot("\($0)", isLarge: true, isTrial: true) }
    #expect(fill(&usage, with: large) == 2)
    #expect(fill(&usage, with: (20..<40).map { slot("\($0)", isTrial: true) }) == 2)
  }

  @Test func `a source on trial is tried by one small attempt at a time, beside a large one`() {
    var usage = SlotUsage(of: 8, perOrigin: 4)
    let (small, large) = (
      slot("a", isTrial: true), slot("a", isLarge: true, isTrial: true)
    )
    usage.take(large)
    #expect(usage.isFree(small) && !usage.isFree(large))
    usage.take(small)
    #expect(!usage.isFree(small) && !usage.isFree(large))
    usage.giveBack(large)
    #expect(!usage.isFree(large))
    usage.giveBack(small)
    #expect(usage.isFree(large) && usage.count == 0 && usage.byOrigin.isEmpty)
    #expect(usage.availabilities.isEmpty)
  }
}
