import Rules
import Testing

@Suite struct ShouldTests {
  private struct Account {
    @Should(.notEmpty) var name: String? = "Ada"
    @Should(.notEmpty, policy: .reject) var kept: String? = "old"
    @Should(.notEmpty, policy: .flag) var flagged: String? = "old"
    @Should(.notEmpty) var broken: String? = ""
    @Should(.notEmpty) var none: String?
  }

  @Test func `K-01: a value that breaks the rule becomes none`() {
    var account = Account()
    account.name = ""
    #expect(account.name == nil)
    #expect(account.$name.rejected?.value == "")
    #expect(account.$name.rejected?.report.issues == [Issue("empty", severity: .should)])
  }

  @Test func `K-02: a value that keeps the rule is taken`() {
    var account = Account()
    account.name = "toto"
    #expect(account.name == "toto")
  }

  @Test func `K-R02: after a value that became none the next one is taken`() {
    var account = Account()
    account.name = ""
    account.name = "ok"
    #expect(account.name == "ok")
    #expect(account.$name.rejected == nil)
  }

  @Test func `K-R08: a declared value that breaks the rule becomes none`() {
    #expect(Account().broken == nil)
    #expect(Account().$broken.rejected?.value == "")
  }

  @Test func `no value breaks no rule`() {
    var account = Account()
    account.name = nil
    #expect(account.name == nil)
    #expect(account.$name.report == .valid)
    #expect(account.none == nil)
  }

  @Test func `with the policy to reject the old value stays`() {
    var account = Account()
    account.kept = ""
    #expect(account.kept == "old")
    #expect(account.$kept.rejected?.value == "")
  }

  @Test func `with the policy to flag a value that breaks the rule is kept`() {
    var account = Account()
    account.flagged = ""
    #expect(account.flagged == "")
    #expect(account.$flagged.report.issues.map(\.severity) == [.should])
    #expect(account.$flagged.rejected == nil)
  }

  @Test func `a value that breaks advice only is taken`() {
    struct Note {
      @Should(Rule.length(max: 3).advised) var text: String?
    }
    var note = Note()
    note.text = "long"
    #expect(note.text == "long")
    #expect(note.$text.report.issues.count == 1)
  }

  @Test func `two are equal when their values are, whatever they turned away`() {
    var one = Should<Filled>()
    one.wrappedValue = ""
    #expect(one == Should())
    #expect(one != Should(wrappedValue: "a"))
    #expect(Set([one, Should()]).count == 1)
  }
}
