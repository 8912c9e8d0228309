import Rules
import Testing

@Suite struct NumberTests {
  @Test(arguments: [(0, false), (1, true), (9, true), (10, false)])
  func `a half-open range excludes its upper end`(number: Int, isKept: Bool) {
    #expect(Rule<Int>.between(1..<10).isKept(by: number) == isKept)
  }

  @Test(arguments: [
    (4, false, ["too-small"]), (5, true, []), (10, true, []), (11, false, ["too-big"]),
    (.min, false, ["too-small"]), (.max, false, ["too-big"]),
  ])
  func `a range includes its ends`(value: Int, isKept: Bool, codes: [String]) {
    #expect(Rule.between(5, 10).check(value).issues.map(\.code) == codes)
    #expect(Rule.between(5...10).isKept(by: value) == isKept)
  }

  @Test func `NaN satisfies no comparison except not-equal`() {
    for relation in Relation.allCases {
      #expect(Rule.compares(relation, 1.0).isKept(by: .nan) == (relation == .notEqual))
    }
    #expect(!Rule.between(-Double.infinity, .infinity).isKept(by: .nan))
    #expect(!Rule.oneOf([Double.nan]).isKept(by: .nan))
    #expect(!Rule<Double>.positive.isKept(by: .nan))
    #expect(!Rule<Double>.notNegative.isKept(by: .nan))
  }

  @Test func `no value keeps a rule with a reversed range`() {
    #expect(!Rule.between(2, 1).isKept(by: 1))
    #expect(!Rule.between(2, 1).isKept(by: 2))
  }

  @Test func `a value can break both bounds, and a check for the first issue reports one`() {
    let rule = Rule.between(5, 2)
    #expect(rule.check(3).issues.map(\.code) == ["too-small", "too-big"])
    #expect(rule.check(3, .first).issues.map(\.code) == ["too-small"])
  }

  @Test(arguments: [(5, 5), (5, 6), (6, 5)])
  func `a relation to a constant is the language's operator`(value: Int, bound: Int) {
    #expect(Rule.compares(.equal, bound).isKept(by: value) == (value == bound))
    #expect(Rule.compares(.notEqual, bound).isKept(by: value) == (value != bound))
    #expect(Rule.compares(.less, bound).isKept(by: value) == (value < bound))
    #expect(Rule.compares(.lessOrEqual, bound).isKept(by: value) == (value <= bound))
    #expect(Rule.compares(.greater, bound).isKept(by: value) == (value > bound))
    #expect(Rule.compares(.greaterOrEqual, bound).isKept(by: value) == (value >= bound))
    #expect(Rule.greater(than: bound).isKept(by: value) == (value > bound))
    #expect(Rule.less(than: bound).isKept(by: value) == (value < bound))
    #expect(Rule.differs(from: bound).isKept(by: value) == (value != bound))
  }

  @Test(arguments: [(-1, false, false, true), (0, false, true, false), (1, true, true, false)])
  func `K-R20: zero is not negative, and not positive`(
    value: Int, positive: Bool, notNegative: Bool, negative: Bool
  ) {
    #expect(Rule<Int>.positive.isKept(by: value) == positive)
    #expect(Rule<Int>.notNegative.isKept(by: value) == notNegative)
    #expect(Rule<Int>.negative.isKept(by: value) == negative)
  }

  @Test func `F-S11: numbers are compared exactly`() {
    #expect(!Rule.atLeast(16_777_217).isKept(by: 16_777_216))
    #expect(!Rule.atLeast(9_007_199_254_740_993).isKept(by: 9_007_199_254_740_992))
    #expect(Rule.equals(UInt64.max).isKept(by: .max))
    #expect(!Rule.equals(UInt64.max).isKept(by: .max - 1))
  }

  @Test(arguments: [
    (Int.min, -1, true), (.min, 3, false), (7, 0, false), (0, 0, true), (9, 3, true),
  ])
  func `a multiple is checked without overflow`(value: Int, step: Int, isKept: Bool) {
    #expect(Rule.multiple(of: step).isKept(by: value) == isKept)
  }

  @Test(
    arguments: [
      (0.5, 0.25, true), (0.3, 0.1, false), (-1.5, 0.5, true), (.nan, 1, false),
      (.infinity, 1, false),
      (1, .nan, false), (1, 0, false), (0, 0, true), (1, .infinity, false), (1e300, 2, true),
    ] as [(Double, Double, Bool)])
  func `a multiple of a fraction is checked exactly`(value: Double, step: Double, isKept: Bool) {
    #expect(Rule.multiple(of: step).isKept(by: value) == isKept)
  }

  @Test(
    arguments: [
      (1.0, true, true, true), (1.5, true, false, false), (-0.0, true, true, true),
      (.nan, false, false, false), (.infinity, false, false, false), (200, true, true, false),
    ] as [(Double, Bool, Bool, Bool)])
  func `a floating-point number is finite, whole, and fits`(
    value: Double, isFinite: Bool, isInteger: Bool, fits: Bool
  ) {
    #expect(Rule<Double>.isFinite.isKept(by: value) == isFinite)
    #expect(Rule<Double>.isInteger.isKept(by: value) == isInteger)
    #expect(Rule<Double>.fits(in: Int8.self).isKept(by: value) == fits)
  }

  @Test(arguments: [(127, true), (128, false), (-128, true), (-129, false)])
  func `an integer fits into a smaller type`(value: Int, isKept: Bool) {
    #expect(Rule.fits(in: Int8.self).isKept(by: value) == isKept)
  }

  @Test(arguments: [
    ("7", []), ("+7", []), ("-7", ["too-small"]), ("007", []), ("", ["not-a-number"]),
    (" 7", ["not-a-number"]), ("7.0", ["not-a-number"]), ("1e3", ["not-a-number"]),
    ("٧", ["not-a-number"]), ("9223372036854775808", ["not-a-number"]), ("0x7", ["not-a-number"]),
    ("7\n", ["not-a-number"]), ("nan", ["not-a-number"]),
  ])
  func `a numeric text is converted only on request`(text: String, codes: [String]) {
    #expect(Rule<Int>.atLeast(1).asInteger.check(text).issues.map(\.code) == codes)
  }

  @Test(arguments: [
    ("12.50", []), ("0", []), ("0.1", []), ("100", []), ("100.0001", ["too-big"]),
    ("-0.01", ["too-small"]), ("1.", ["not-a-number"]), (".5", ["not-a-number"]),
    ("1e2", ["not-a-number"]), ("1,5", ["not-a-number"]), ("", ["not-a-number"]),
    ("--1", ["not-a-number"]), ("inf", ["not-a-number"]), ("1.5 ", ["not-a-number"]),
    (String(repeating: "9", count: 40), ["not-a-number"]),
  ])
  func `a decimal text is converted only on request`(text: String, codes: [String]) {
    #expect(Rule<ExactDecimal>.between(0, 100).asDecimal.check(text).issues.map(\.code) == codes)
  }

  @Test(arguments: [
    ("0.1", "0.10", "=="), ("0.1", "0.2", "<"), ("-0.1", "0.1", "<"), ("-0.2", "-0.1", "<"),
    ("-1", "-0.5", "<"), ("-0", "0.00", "=="), ("1", "1.0000000000000000000000000000000001", "<"),
    ("99999999999999999999999999999999999999", "0.00000000000000000000000000000000001", ">"),
    ("-99999999999999999999999999999999999999", "-0.00000000000000000000000000000000001", "<"),
    ("0.00000000000000000000000000000000001", "99999999999999999999999999999999999999", "<"),
    ("-0.00000000000000000000000000000000001", "-99999999999999999999999999999999999999", ">"),
    ("0.3", "0.30000000000000004", "<"), ("10", "9.99", ">"),
  ])
  func `decimals are exact`(left: String, right: String, relation: String) throws {
    let (one, other) = (try #require(ExactDecimal(left)), try #require(ExactDecimal(right)))
    #expect((one < other) == (relation == "<"))
    #expect((one == other) == (relation == "=="))
    #expect((one > other) == (relation == ">"))
  }

  @Test(arguments: [
    ("12.50", "12.5"), ("-0.05", "-0.05"), ("+7", "7"), ("000", "0"), ("0.000", "0"),
    ("100", "100"),
    ("-0", "0"), ("1.005", "1.005"),
  ])
  func `decimals are parsed in their usual notation`(text: String, written: String) throws {
    #expect(try #require(ExactDecimal(text)).description == written)
  }

  @Test(arguments: [("1.25", true), ("1.250", true), ("1.255", false), ("1", true)])
  func `decimal places are counted without trailing zeros`(text: String, isKept: Bool) {
    #expect(Rule<ExactDecimal>.places(max: 2).asDecimal.isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("12", true, true), ("7", true, true), ("-1.5", false, true), ("1.", false, false),
    ("", false, false),
    ("+", false, false), (String(repeating: "9", count: 999), true, true), ("1a", false, false),
    ("٣", false, false), ("+-1", false, false),
  ])
  func `a text is a number of any length`(text: String, isInteger: Bool, isNumber: Bool) {
    #expect(Rule.integerText.isKept(by: text) == isInteger)
    #expect(Rule.numberText.isKept(by: text) == isNumber)
  }

  @Test(arguments: [(100, true), (101, true), (50, false)])
  func `F-91 F-93 F-94: a number and its minimum`(value: Int, isKept: Bool) {
    #expect(Rule.atLeast(100).isKept(by: value) == isKept)
  }

  @Test(arguments: [(50, true), (101, false)])
  func `F-95 F-96: a number and its maximum`(value: Int, isKept: Bool) {
    #expect(Rule.atMost(100).isKept(by: value) == isKept)
  }

  @Test func `F-92: a text is a number only by conversion`() {
    #expect(!Rule<Int>.pass.asInteger.isKept(by: "text"))
    #expect(Rule<Int>.pass.asInteger.isKept(by: "100"))
  }

  @Test(arguments: [(5.4, true), (6.2, true), (10, true), (5, true), (4, false), (10.1, false)])
  func `S-12 S-13: five to ten`(value: Double, isKept: Bool) {
    #expect(Rule.between(5.0, 10.0).isKept(by: value) == isKept)
  }

  @Test(arguments: [(1.0, false), (8.0, false), (4.0, true), (2, true), (7, true)])
  func `S-54: a slider's number`(value: Float, isKept: Bool) {
    #expect(Rule.between(Float(2), 7).isKept(by: value) == isKept)
  }

  @Test(arguments: [(1, true), (0, true), (2, false), (100, false)])
  func `F-53 F-54 F-57: numbers that stand for true and false`(value: Int, isKept: Bool) {
    #expect(Rule.boolean(true: 1, false: 0).isKept(by: value) == isKept)
  }

  @Test func `F-55 F-56 F-58: the values for true and false are configurable`() {
    #expect(Rule.boolean(true: 100, false: 0).isKept(by: 100))
    #expect(!Rule.boolean(true: 101, false: 0).isKept(by: 100))
    #expect(Rule.boolean(true: "yes", false: "no").isKept(by: "no"))
    #expect(!Rule.boolean(true: "1", false: "0").isKept(by: "text"))
    let issues = Rule.boolean(true: "yes", false: "no").check("text").issues
    #expect(issues.map(\.message) == ["must be yes or no"])
  }
}
