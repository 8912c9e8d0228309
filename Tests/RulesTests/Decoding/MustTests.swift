import FoundationEssentials
import Rules
import Testing

@Suite struct MustTests {
  private struct Account {
    @Must(.atLeast(0)) var amount = 1
    @Must(.all(.notBlank, .length(exactly: 3))) var code = "abc"
    @Must(.atMost(9), policy: .flag) var level = 1
    @Must(.notEmpty) var owner = ""
  }

  /// No property has a declared value.
  private struct Undeclared {
    @Must(.atLeast(0)) var amount: Int
    @Must(.ifPresent(.notBlank)) var note: String?

    init(amount: Int) { self.amount = amount }
  }

  @Test func `a property without a declared value is set in an initialiser`() {
    var order = Undeclared(amount: 3)
    order.amount = -1
    #expect(order.amount == 3)
    #expect(order.$amount.rejected?.value == -1)
    #expect(order.note == nil && order.$note.isValid)
    order.note = " "
    #expect(order.note == nil)
  }

  @Test func `its first value is kept and flagged when it breaks the rule`() {
    var order = Undeclared(amount: -1)
    #expect(order.amount == -1)
    #expect(!order.$amount.isValid)
    order.amount = 2
    #expect(order.amount == 2 && order.$amount.isValid)
  }

  @Test func `K-03: a value that keeps the rule is accepted`() {
    var account = Account()
    account.amount = 2
    #expect(account.amount == 2)
    #expect(account.$amount.isValid)
  }

  @Test func `a value that breaks the rule is rejected and reported`() {
    var account = Account()
    account.amount = -1
    #expect(account.amount == 1)
    #expect(account.$amount.isValid)
    #expect(account.$amount.rejected?.value == -1)
    #expect(account.$amount.rejected?.report.issues.map(\.code) == ["too-small"])
  }

  @Test func `K-R01: the next value after a rejected one is accepted`() {
    var account = Account()
    account.amount = -1
    account.amount = 5
    #expect(account.amount == 5)
    #expect(account.$amount.rejected == nil)
  }

  @Test func `K-04: the report names the broken rule`() {
    var account = Account()
    account.code = "ab"
    #expect(account.$code.rejected?.report.issues.map(\.code) == ["wrong-length"])
  }

  @Test func `K-11: a rule that always fails reports its own message`() {
    struct Switch {
      @Must(Rule(code: "no", message: "never") { _ in false }) var isOn = false
    }
    var toggle = Switch()
    toggle.isOn = true
    #expect(!toggle.isOn)
    #expect(toggle.$isOn.rejected?.report.issues.map(\.message) == ["never"])
  }

  @Test(arguments: [(-2, false), (2, true)])
  func `K-12: the rule of a property is accessible`(amount: Int, isKept: Bool) {
    #expect(Order().$amount.rule.isKept(by: amount) == isKept)
  }

  @Test(arguments: [("", false), ("foo", true)])
  func `K-13: the rule of a nested property is accessible`(name: String, isKept: Bool) {
    #expect(Order().client.$name.rule.isKept(by: name) == isKept)
  }

  @Test func `K-R07: a copy shares nothing with the original`() {
    let original = Account()
    var copy = original
    copy.amount = 7
    copy.amount = -7
    #expect(original.amount == 1)
    #expect(original.$amount.rejected == nil)
  }

  @Test func `K-R08: an initial value that breaks the rule is kept and flagged`() {
    let account = Account()
    #expect(account.owner.isEmpty)
    #expect(account.$owner.report.issues.map(\.code) == ["empty"])
    #expect(!account.$owner.isValid)
  }

  @Test func `the flagging policy keeps and flags a value that breaks the rule`() {
    var account = Account()
    account.level = 10
    #expect(account.level == 10)
    #expect(account.$level.report.issues.map(\.code) == ["too-big"])
    #expect(account.$level.rejected == nil)
  }

  @Test func `a value that breaks only advice is accepted`() {
    struct Note {
      @Must(Rule.length(max: 3).advised) var text = ""
    }
    var note = Note()
    note.text = "long"
    #expect(note.text == "long")
    #expect(note.$text.report.issues.map(\.severity) == [.should])
  }

  @Test func `two properties are equal when their values are, whatever they rejected`() {
    var (one, other) = (Client(name: "a"), Client(name: "a"))
    one.name = ""
    #expect(one == other)
    other.name = "b"
    #expect(one != other)
  }

  @Test func `its hash is that of its value`() {
    var tried = Must<NotNegative>(wrappedValue: 1)
    tried.wrappedValue = -1
    #expect(Set([tried, Must(wrappedValue: 1), Must(wrappedValue: 2)]).count == 2)
  }

  @Test func `a type can state the policy`() {
    struct Flagged: RuleProvider {
      static let rule: Rule<Int> = .atLeast(0)
      static let policy: AssignmentPolicy? = .flag
    }
    var property = Must<Flagged>(wrappedValue: 1)
    property.wrappedValue = -1
    #expect(property.wrappedValue == -1)
  }
}
