import Rules
import Testing

@Suite struct ListTests {
  private struct LookupError: Error {}

  @Test(
    arguments: [
      ([], 0), ([1], 0), ([1, 1], 1), ([1, 2, 1, 1], 2),
    ] as [([Int], Int)])
  func `a repeated element is reported at its index`(list: [Int], count: Int) {
    #expect(Rule<[Int]>.distinct.check(list).issues.count == count)
  }

  @Test func `the path of an element's issue contains its index`() {
    #expect(Rule<[Int]>.distinct.check([1, 2, 1]).issues.map(\.path.description) == ["[2]"])
    #expect(
      Rule<[Int]>.elements(allOf: [1]).check([1, 2, 3]).issues.map(\.path.description)
        == ["[1]", "[2]"])
    #expect(
      Rule<[Int]>.elements(noneOf: [1]).check([2, 1]).issues.map(\.path.description) == ["[1]"])
    #expect(Rule<[Int]>.elements(allOf: [1]).check([2, 3], .first).issues.count == 1)
  }

  @Test(
    arguments: [
      ([], true, false, true, false), ([1], true, true, false, false),
      ([1, 2], true, true, false, false),
      ([1, 3], false, true, false, true), ([3], false, false, true, true),
    ] as [([Int], Bool, Bool, Bool, Bool)])
  func `F-S09: membership of all, any, none, and not all are four rules`(
    list: [Int], all: Bool, any: Bool, none: Bool, notAll: Bool
  ) {
    #expect(Rule<[Int]>.elements(allOf: [1, 2]).isKept(by: list) == all)
    #expect(Rule<[Int]>.elements(anyOf: [1, 2]).isKept(by: list) == any)
    #expect(Rule<[Int]>.elements(noneOf: [1, 2]).isKept(by: list) == none)
    #expect(Rule<[Int]>.elements(notAllOf: [1, 2]).isKept(by: list) == notAll)
  }

  @Test(arguments: [(0, ["too-few"]), (1, []), (2, []), (3, ["too-many"])])
  func `a count includes its ends`(count: Int, codes: [String]) {
    let list = Array(0..<count)
    #expect(Rule<[Int]>.count(1...2).check(list).issues.map(\.code) == codes)
    #expect(Rule<[Int]>.notEmptyList.isKept(by: list) == (count > 0))
    #expect(Rule<[Int]>.emptyList.isKept(by: list) == (count == 0))
  }

  @Test(arguments: ["hello", "hi", "hey"])
  func `S-16: a member`(text: String) {
    #expect(Rule.oneOf(["hello", "hi", "hey"]).isKept(by: text))
    #expect(!Rule.noneOf(["hello", "hi", "hey"]).isKept(by: text))
  }

  @Test(arguments: ["adam", "\u{1F44D}", "HEY"])
  func `S-17: a non-member`(text: String) {
    #expect(!Rule.oneOf(["hello", "hi", "hey"]).isKept(by: text))
    #expect(Rule.noneOf(["hello", "hi", "hey"]).isKept(by: text))
  }

  @Test(arguments: [(1, true), (2, true), (3, true), (4, false), (5, false), (6, false)])
  func `S-18 S-19: numbers of a list`(value: Int, isKept: Bool) {
    #expect(Rule.oneOf([1, 2, 3]).isKept(by: value) == isKept)
    #expect(!Rule.oneOf([]).isKept(by: value))
  }

  @Test func `an issue lists the allowed values`() {
    #expect(Rule.oneOf(["a", "b"]).check("c").issues.map(\.message) == ["must be one of a, b"])
  }

  @Test(arguments: [("a", true), ("b", false)])
  func `the caller's look-up decides whether a value exists or is unique`(
    key: String, isKnown: Bool
  ) async {
    #expect(Rule.existing(in: "orders") { $0 == "a" }.isKept(by: key) == isKnown)
    #expect(Rule.unique(in: "orders") { $0 == "a" }.isKept(by: key) == !isKnown)
    let existing = await AsyncRule.existing(in: "orders") { $0 == "a" }.check(key)
    let unique = await AsyncRule.unique(in: "orders") { $0 == "a" }.check(key)
    #expect(existing.issues.map(\.message) == (isKnown ? [] : ["is not known in orders"]))
    #expect(unique.issues.map(\.message) == (isKnown ? ["is already known in orders"] : []))
  }

  @Test func `a failed look-up gives no verdict`() async {
    for rule in [
      AsyncRule<String>.existing(in: "orders") { _ in throw LookupError() },
      .unique(in: "orders") { _ in throw LookupError() },
      .emailDomain { _ in throw LookupError() },
    ] {
      let report = await rule.check("a@b.c")
      #expect(report.outcome == .undecided)
      #expect(report.isValid)
      #expect(report.omissions.map(\.reason) == ["the look-up failed: LookupError()"])
    }
  }
}
