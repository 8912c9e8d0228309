import Rules
import Synchronization
import Testing

@Suite struct AsyncRuleTests {
  private static let kept = AsyncRule<String>(code: "kept") { _ in true }
  private static let broken = AsyncRule<String>(
    code: "broken", parameters: ["n": 1], message: "broken {n}"
  ) { _ in
    await Task.yield()
    return false
  }
  private static let undecided = AsyncRule<String> { _, findings in findings.leaveUndecided("?") }

  @Test func `an issue has a code, figures and a message`() async {
    let issues = await Self.broken.check("").issues
    #expect(issues == [Issue("broken", parameters: ["n": 1], wording: "broken {n}")])
    #expect(await Self.kept.check("") == .valid)
  }

  @Test func `all asks in order and reports every issue`() async {
    let rule = AsyncRule.all(Self.broken, Self.kept, Rule.notEmpty.async)
    #expect(await rule.check("").issues.map(\.code) == ["broken", "empty"])
    #expect(await rule.check("", .first).issues.map(\.code) == ["broken"])
    #expect(await AsyncRule<String>.all().check("").outcome == .passed)
  }

  @Test func `a failed local rule spares the remote one`() async {
    let count = Counter()
    let remote = AsyncRule<String>(code: "remote") { _ in
      count.value.withLock { $0 += 1 }
      return true
    }
    let rule = AsyncRule.all(Rule.notEmpty.async, remote).stoppingAtFirst
    #expect(await !rule.check("").isValid)
    #expect(count.value.withLock { $0 } == 0)
    #expect(await rule.check("a").isValid)
    #expect(count.value.withLock { $0 } == 1)
  }

  @Test func `any is kept when one rule is, and reports all issues when none is`() async {
    #expect(await AsyncRule.any(Self.broken, Self.kept).check("") == .valid)
    let none = await AsyncRule.any(Self.broken, Rule.notEmpty.async).check("")
    #expect(none.issues.map(\.code) == ["broken", "empty"])
    #expect(await AsyncRule<String>.any().check("").issues.map(\.code) == ["none-of-no-rules"])
    let doubtful = await AsyncRule.any(Self.broken, Self.undecided).check("")
    #expect(doubtful == Report(omissions: [Omission(.undecided, "?")], outcome: .undecided))
  }

  @Test func `not inverts the outcome, and undecided stays undecided`() async {
    #expect(await AsyncRule.not(Self.broken).check("") == .valid)
    #expect(await AsyncRule.not(Self.kept, code: "no").check("").issues == [Issue("no")])
    #expect(await AsyncRule.not(Self.undecided).check("").outcome == .undecided)
  }

  @Test func `a condition decides whether the rule is asked`() async {
    let rule = Self.broken.when("not wanted") { !$0.isEmpty }
    #expect(await rule.check("").verdict == .skipped("not wanted"))
    #expect(await rule.check("a").issues.map(\.code) == ["broken"])
  }

  @Test func `findings about a field have the field's path`() async {
    let rule = AsyncRule<Box>.field(\.text, "text", .all(Self.broken, Self.undecided))
    let report = await rule.check(Box())
    #expect(report.issues.map(\.path) == ["text"])
    #expect(report.omissions.map(\.path) == ["text"])
  }

  private struct Box: Sendable {
    var text = ""
  }

  private final class Counter: Sendable {
    let value = Mutex(0)
  }
}
