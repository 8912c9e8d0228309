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

  @Test func `K-01: a value that breaks the rule becomes nil`() {
    var account = Account()
    account.name = ""
    #expect(account.name == nil)
    #expect(account.$name.rejected?.value == "")
    #expect(account.$name.rejected?.report.issues == [Issue("empty", severity: .should)])
  }

  @Test func `K-02: a value that keeps the rule is accepted`() {
    var account = Account()
    account.name = "toto"
    #expect(account.name == "toto")
  }

  @Test func `K-R02: the next value after one that became nil is accepted`() {
    var account = Account()
    account.name = ""
    account.name = "ok"
    #expect(account.name == "ok")
    #expect(account.$name.rejected == nil)
  }

  @Test func `K-R08: an initial value that breaks the rule becomes nil`() {
    #expect(Account().broken == nil)
    #expect(Account().$broken.rejected?.value == "")
  }

  @Test func `a nil value breaks no rule`() {
    var account = Account()
    account.name = nil
    #expect(account.name == nil)
    #expect(account.$name.report == .valid)
    #expect(account.none == nil)
  }

  @Test func `the rejecting policy keeps the old value`() {
    var account = Account()
    account.kept = ""
    #expect(account.kept == "old")
    #expect(account.$kept.rejected?.value == "")
  }

  @Test func `the flagging policy keeps a value that breaks the rule`() {
    var account = Account()
    account.flagged = ""
    #expect(account.flagged == "")
    #expect(account.$flagged.report.issues.map(\.severity) == [.should])
    #expect(account.$flagged.rejected == nil)
  }

  @Test func `a value that breaks only advice is accepted`() {
    struct Note {
      @Should(Rule.length(max: 3).advised) var text: String?
    }
    var note = Note()
    note.text = "long"
    #expect(note.text == "long")
    #expect(note.$text.report.issues.count == 1)
  }

  @Test func `two properties are equal when their values are, whatever they rejected`() {
    var one = Should<Filled>()
    one.wrappedValue = ""
    #expect(one == Should())
    #expect(one != Should(wrappedValue: "a"))
    #expect(Set([one, Should()]).count == 1)
  }
}
