import FreshStoreTesting
import Rules
import Testing

/// Forms with asynchronous rules.
@Suite struct FormQuestionTests {
  struct Entry: Sendable {
    var name = ""
    var city = ""
  }

  private let interview = Interview()
  private let clock = ManualClock()

  private func form(debounce: Duration = .zero) -> Form<Entry> {
    Form(
      Entry(),
      fields: [
        FormField(\.name, "name", .notEmpty, asking: interview.rule),
        FormField(\.city, "city", dependants: ["name"]),
      ],
      debounce: debounce, clock: clock)
  }

  @Test(arguments: [(true, .valid), (false, .invalid), (nil, .failed)] as [(Bool?, FormPhase)])
  func `a field is validating until the answer arrives`(answer: Bool?, phase: FormPhase)
    async throws
  {
    let form = form()
    form.name = "a"
    #expect(form.state["name"]?.phase == .validating)
    #expect(!form.state.isValid)
    try await interview.next().answer.resume(returning: answer)
    #expect(await form.settled()["name"]?.phase == phase)
  }

  @Test func `an answer's issues lie in the field`() async throws {
    let form = form()
    form.name = "a"
    try await interview.next().answer.resume(returning: false)
    #expect(await form.settled().report.issues == [Issue("taken", path: "name")])
  }

  @Test func `the reason for an undecided rule is in the report`() async throws {
    let form = form()
    form.name = "a"
    try await interview.next().answer.resume(returning: nil)
    #expect(await form.settled()["name"]?.report.omissions.map(\.reason) == ["nobody knows"])
  }

  @Test func `a value that breaks a synchronous rule is not asked about`() async throws {
    let form = form()
    form.name = ""
    #expect(form.state["name"]?.phase == .invalid)
    form.name = "b"
    let question = try await interview.next()
    #expect(question.value == "b")
    question.answer.resume(returning: true)
  }

  @Test func `the latest input wins, whichever answer comes last`() async throws {
    let form = form()
    form.name = "old"
    let old = try await interview.next()
    form.name = "new"
    let new = try await interview.next()
    new.answer.resume(returning: true)
    #expect(await form.settled()["name"]?.phase == .valid)
    old.answer.resume(returning: false)
    #expect(form.state["name"]?.phase == .valid)
    form.name = "old"
    try await interview.next().answer.resume(returning: true)
    #expect(await form.settled()["name"]?.phase == .valid)
  }

  @Test func `a stale answer does not end the wait for the latest`() async throws {
    let form = form()
    form.name = "old"
    let old = try await interview.next()
    form.name = "new"
    let new = try await interview.next()
    old.answer.resume(returning: false)
    new.answer.resume(returning: true)
    #expect(await form.settled()["name"]?.phase == .valid)
    #expect(form.state["name"]?.report == .valid)
  }

  @Test func `a superseded question is cancelled`() async throws {
    let form = form()
    form.name = "old"
    let old = try await interview.next()
    form.name = ""
    #expect(interview.cancelled == ["old"])
    old.answer.resume(returning: true)
    form.name = "new"
    try await interview.next().answer.resume(returning: true)
    #expect(await form.settled()["name"]?.phase == .valid)
  }

  @Test func `a question is asked after a pause without input`() async throws {
    let form = form(debounce: .milliseconds(300))
    form.name = "a"
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(299))
    form.name = "ab"
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(299))
    #expect(form.state["name"]?.phase == .validating)
    clock.advance(by: .milliseconds(1))
    let question = try await interview.next()
    #expect(question.value == "ab")
    question.answer.resume(returning: true)
    #expect(await form.settled()["name"]?.phase == .valid)
  }

  @Test func `validating the form asks without delay`() async throws {
    let form = form(debounce: .seconds(5))
    form.name = "a"
    #expect(form.validate()["name"]?.phase == .validating)
    try await interview.next().answer.resume(returning: true)
    #expect(await form.settled().isValid)
  }

  @Test func `setting a field asks again about its dependants`() async throws {
    let form = form()
    form.name = "a"
    try await interview.next().answer.resume(returning: false)
    _ = await form.settled()
    form.city = "Ghent"
    #expect(form.state["name"]?.phase == .validating)
    try await interview.next().answer.resume(returning: true)
    #expect(await form.settled().isValid)
  }

  @Test func `an issue added meanwhile is kept when the answer arrives`() async throws {
    let form = form()
    form.name = "a"
    let question = try await interview.next()
    form.add(Issue("advice", path: "name", severity: .should))
    #expect(form.state["name"]?.phase == .validating)
    question.answer.resume(returning: true)
    #expect(await form.settled()["name"]?.issues.map(\.code) == ["advice"])
  }

  @Test func `the pending answer of a field that becomes quiet is ignored`() async throws {
    let form = form()
    form.name = "a"
    let question = try await interview.next()
    form.quietFields = ["name"]
    form.name = "b"
    question.answer.resume(returning: true)
    #expect(form.state["name"]?.phase == .idle)
    #expect(interview.cancelled == ["a"])
  }

  @Test func `a released form cancels its questions`() async throws {
    var form: Form? = form(debounce: .seconds(1))
    form?.name = "a"
    await clock.sleepers(atLeast: 1)
    form = nil
    #expect(clock.sleepers == 0)
  }
}
