import Rules
import Synchronization
import Testing

@Suite struct FormTests {
  struct Registration: Sendable, Equatable {
    var name = ""
    var password = ""
    var repeated = ""
    var nick: String?
    var isAdult = false
    var level: Float = 4
  }

  static let fields: [FormField<Registration>] = [
    FormField(\.name, "name", .length(max: 3)),
    FormField(\.password, "password", .length(min: 2), dependants: ["repeated"]),
    FormField(\.repeated, "repeated"),
    FormField(\.nick, "nick", .length(min: 2)),
    FormField(\.isAdult, "isAdult", .equals(true)),
    FormField(\.level, "level", .between(2, 7)),
  ]

  static let same = Rule<Registration>.fields(
    \.repeated, "repeated", .equal, \.password, "password")

  private func form(_ scope: FormScope = .dependants) -> Form<Registration> {
    Form(Registration(), fields: Self.fields, rule: Self.same, scope: scope)
  }

  private func phases(_ form: Form<Registration>) -> [String] {
    form.state.fields.filter { $0.phase != .idle }.map { "\($0.name) \($0.phase)" }
  }

  @Test func `no field is validated before one is set`() {
    #expect(form().state.fields.allSatisfy { $0.phase == .idle })
    #expect(form().state.phase == .idle)
  }

  @Test func `A-09: setting a valid value clears the issues of an invalid one`() {
    let form = form()
    form.name = "long name"
    #expect(form.state["name"]?.issues.map(\.code) == ["too-long"])
    #expect(form.state["name"]?.phase == .invalid)
    form.name = "Ada"
    #expect(form.state["name"]?.issues == [])
    #expect(form.state["name"]?.phase == .valid)
  }

  @Test func `setting a field validates that field alone`() {
    let form = form(.field)
    form.password = "abc"
    #expect(phases(form) == ["password valid"])
  }

  @Test func `setting a field validates its dependants`() {
    let form = form()
    form.password = "abc"
    #expect(phases(form) == ["password valid", "repeated invalid"])
    form.repeated = "abc"
    #expect(phases(form) == ["password valid", "repeated valid"])
    form.password = "abd"
    #expect(form.state.report.issues.map(\.path.description) == ["repeated"])
  }

  @Test func `dependants of dependants are validated, also in cycles`() {
    struct Ring: Sendable { var a = 0, b = 0, c = 0, d = 0 }
    let form = Form(
      Ring(),
      fields: [
        FormField(\.a, "a", dependants: ["b", "a"]), FormField(\.b, "b", dependants: ["c"]),
        FormField(\.c, "c", dependants: ["a"]), FormField(\.d, "d"),
      ])
    form.a = 1
    #expect(form.state.fields.map(\.phase) == [.valid, .valid, .valid, .idle])
  }

  @Test func `setting a field validates the whole form on request`() {
    let form = form(.all)
    form.name = "Ada"
    #expect(
      phases(form) == [
        "name valid", "password invalid", "repeated valid", "nick valid", "isAdult invalid",
        "level valid",
      ])
  }

  @Test func `setting an undeclared property validates all fields`() {
    let form = Form(Registration(), fields: [FormField(\.name, "name", .notEmpty)])
    form.level = 1
    #expect(form.state["name"]?.phase == .invalid)
  }

  @Test func `X-06: setting an equal value validates again`() {
    let form = form()
    form.isAdult = true
    form.add(Issue("refused", path: "isAdult"))
    #expect(form.state["isAdult"]?.phase == .invalid)
    form.isAdult = true
    #expect(form.state["isAdult"]?.phase == .valid)
  }

  @Test func `F-35: an issue added by hand is removed when its field is set`() {
    let form = form()
    form.add(Issue("added", path: "isAdult"))
    #expect(form.state["isAdult"]?.issues.map(\.code) == ["added"])
    form.isAdult = true
    #expect(form.state["isAdult"]?.issues == [])
  }

  @Test func `an issue without a field stays with the whole form until all is validated`() {
    let form = form()
    form.add(Issue("offline"))
    form.name = "Ada"
    #expect(form.state.whole.issues.map(\.code) == ["offline"])
    #expect(form.state.phase == .invalid)
    #expect(form.validate().whole == .valid)
  }

  @Test func `F-36: setting a quiet field leaves it as it is`() {
    let form = trimming()
    form.quietFields = ["name"]
    form.name = " a "
    #expect(form.name == " a ")
    #expect(form.state["name"]?.phase == .idle)
    form.isAdult = true
    #expect(form.name == " a ")
    #expect(form.state["name"]?.phase == .idle)
  }

  @Test func `F-37: a field is normalised when it is set, and not when another is`() {
    let form = trimming()
    form.quietFields = ["name"]
    form.name = " a "
    form.quietFields = []
    form.isAdult = true
    #expect(form.name == " a ")
    form.name = " a "
    #expect(form.name == "a")
    form.quietFields = ["name"]
    form.name = " b "
    #expect(form.name == " b ")
  }

  @Test func `setting a quiet field clears its state`() {
    let form = trimming()
    form.name = "a"
    #expect(form.state["name"]?.phase == .valid)
    form.quietFields = ["name"]
    form.name = "b"
    #expect(form.state["name"]?.phase == .idle)
  }

  private func trimming() -> Form<Registration> {
    Form(
      Registration(),
      fields: [
        FormField(\.name, "name", .notEmpty) { $0.filter { $0 != " " } },
        FormField(\.isAdult, "isAdult"),
      ])
  }

  @Test func `an optional field without a value is valid`() {
    let form = form()
    form.nick = nil
    #expect(form.state["nick"]?.phase == .valid)
    form.nick = "x"
    #expect(form.state["nick"]?.issues.map(\.code) == ["too-short"])
  }

  @Test func `A-10: each assignment is reported once to a listener`() async {
    let form = form()
    var states = form.states.makeAsyncIterator()
    #expect(await states.next()?.phase == .idle)
    form.name = "Ada"
    #expect(await states.next()?["name"]?.phase == .valid)
    form.name = "long name"
    #expect(await states.next()?["name"]?.phase == .invalid)
  }

  @Test func `a slow reader gets the latest state`() async {
    let form = form()
    var states = form.states.makeAsyncIterator()
    for count in 1...100 { form.name = String(repeating: "x", count: count) }
    form.name = "end"
    #expect(await states.next() == form.state)
  }

  @Test func `every listener receives the states`() async {
    let form = form()
    var (one, other) = (form.states.makeAsyncIterator(), form.states.makeAsyncIterator())
    form.name = "Ada"
    #expect(await one.next()?["name"]?.phase == .valid)
    #expect(await other.next()?["name"]?.phase == .valid)
  }

  @Test func `states end with the form`() async {
    var form: Form? = form()
    var states = form?.states.makeAsyncIterator()
    form = nil
    #expect(await states?.next()?.phase == .idle)
    #expect(await states?.next() == nil)
  }

  @Test func `A-25: typing within the limit is not invalid, beyond it is`() async {
    let form = form()
    let typed = AsyncStream { typing in
      for text in ["h", "hi"] { typing.yield(text) }
      typing.finish()
    }
    await form.set(\.name, to: typed)
    #expect(form.state["name"]?.phase == .valid)
    await form.set(
      \.name,
      to: AsyncStream { typing in
        typing.yield("hiya")
        typing.finish()
      })
    #expect(form.state["name"]?.phase == .invalid)
  }

  @Test(arguments: [(Float(1), FormPhase.invalid), (4, .valid), (8, .invalid)])
  func `S-53, S-54: input that yields numbers is validated as a number`(
    level: Float, phase: FormPhase
  ) {
    let form = form()
    form.level = level
    #expect(form.level == level)
    #expect(form.state["level"]?.phase == phase)
  }

  @Test func `S-55, S-56: a field without rules is valid`() {
    let form = Form(Registration(), fields: [FormField(\.name, "name")])
    form.name = "Hello"
    #expect(form.name == "Hello")
    #expect(form.state.isValid)
  }

  @Test(arguments: [("BCDE", FormPhase.invalid), ("ABCDE", .valid)])
  func `S-57: a listener receives the verdict on the input`(text: String, phase: FormPhase) async {
    let form = Form(Registration(), fields: [FormField(\.name, "name", .contains("A"))])
    var states = form.states.makeAsyncIterator()
    _ = await states.next()
    form.name = text
    #expect(await states.next()?["name"]?.phase == phase)
  }

  @Test func `a form is valid when all of its fields were validated and are valid`() {
    let form = form()
    form.name = "Ada"
    #expect(!form.state.isValid)
    form.password = "abc"
    form.repeated = "abc"
    form.isAdult = true
    #expect(form.validate().isValid)
    #expect(form.state.report.issues == [])
  }

  @Test func `validating reports every issue in the order of the fields`() {
    let form = form()
    form.reset(to: Registration(name: "long name", password: "a", repeated: "b"))
    #expect(
      form.validate().report.issues.map { "\($0.path) \($0.code)" } == [
        "name too-long", "password too-short", "repeated differs-from", "isAdult not-equal",
      ])
  }

  @Test(arguments: [IssuePath("name"), .whole])
  func `a form has failed where a model-wide rule is undecided`(path: IssuePath) {
    let rule = Rule<Registration> { _, findings in
      findings.add(
        Report(omissions: [Omission(.undecided, "why", path: path)], outcome: .undecided))
    }
    let form = Form(Registration(), fields: [FormField(\.name, "name")], rule: rule)
    #expect(form.validate().phase == .failed)
    #expect(form.state["name"]?.phase == (path == .whole ? .valid : .failed))
  }

  @Test func `a reset form has no issues`() {
    let form = form()
    form.name = "long name"
    form.reset(to: Registration(name: "new"))
    #expect(form.model == Registration(name: "new"))
    #expect(form.state.phase == .idle)
    #expect(form.state.report == .valid)
  }

  @Test func `a verdict on a value replaced meanwhile does not count`() {
    final class Holder: Sendable {
      let form = Mutex<Form<Registration>?>(nil)
    }
    let holder = Holder()
    let rule = Rule<String>(code: "old") { name in
      guard name == "old" else { return true }
      holder.form.withLock { $0 }?.name = "new"
      return false
    }
    let form = Form(Registration(), fields: [FormField(\.name, "name", rule)])
    holder.form.withLock { $0 = form }
    form.name = "old"
    #expect(form.name == "new")
    #expect(form.state["name"]?.phase == .valid)
    holder.form.withLock { $0 = nil }
  }

  @Test func `a verdict on a model replaced meanwhile does not count`() {
    let holder = Mutex<Form<Registration>?>(nil)
    let rule = Rule<Registration>(code: "old") { model in
      guard model.name == "old" else { return true }
      holder.withLock { $0 }?.reset(to: Registration(name: "new"))
      return false
    }
    let form = Form(Registration(name: "old"), fields: [FormField(\.name, "name")], rule: rule)
    holder.withLock { $0 = form }
    form.validate()
    #expect(form.name == "new")
    #expect(form.state.whole == .valid)
    holder.withLock { $0 = nil }
  }

  @Test func `a rule may read the form`() {
    let form = Form(Registration(), fields: [FormField(\.name, "name", .notEmpty)])
    let reading = Form(
      Registration(),
      fields: [FormField(\.name, "name", .equals("other") { [weak form] in form?.name ?? "" })])
    form.name = "x"
    reading.name = "x"
    #expect(reading.state.isValid)
  }

  @Test func `assignments by many tasks are all applied and the last one is judged`() async {
    let form = Form(Registration(), fields: [FormField(\.level, "level", .atLeast(0))])
    await withTaskGroup { group in
      for number in 0..<100 { group.addTask { form.level = Float(number - 50) } }
    }
    let isRight = (form.level >= 0) == (form.state["level"]?.phase == .valid)
    #expect(isRight)
  }
}
