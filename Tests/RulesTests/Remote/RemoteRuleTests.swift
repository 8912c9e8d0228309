import FreshStoreTesting
import Rules
import Testing

@Suite struct RemoteRuleTests {
  private struct Lost: Error, CustomStringConvertible {
    let description = "the line is cut"
  }

  @Test func `A-23: true means kept`() async {
    #expect(await RemoteRule<String>(via: ScriptedServer(200, "true")).check("a") == .valid)
    #expect(await RemoteRule<Double>(via: ScriptedServer(299, "true")).check(4.5) == .valid)
  }

  @Test(arguments: ["false", "", "true\n", " true", "True", "\"true\"", "truetrue", "1"])
  func `A-23: any other body means broken`(body: String) async {
    let report = await RemoteRule<String>(via: ScriptedServer(200, body)).check("a")
    #expect(report == Report([Issue("remote")]))
  }

  @Test(arguments: [199, 300, 304, 400, 404, 500, 503])
  func `an error status is no answer, even with a body of true`(status: Int) async {
    let report = await RemoteRule<String>(via: ScriptedServer(status, "true")).check("a")
    #expect(report.isValid)
    #expect(report.verdict == .undecided("the server answered with status \(status)"))
  }

  @Test func `a failed connection is no answer`() async {
    let rule = RemoteRule<String>(via: ScriptedServer { _ in throw Lost() })
    #expect(await rule.check("a").verdict == .undecided("the line is cut"))
  }

  @Test func `a missing answer can count as broken`() async {
    let rule = RemoteRule<String>(
      via: ScriptedServer { _ in throw Lost() }, unanswered: .broken)
    #expect(
      await rule.check("a").issues == [
        Issue("remote-unanswered", parameters: ["reason": "the line is cut"])
      ])
  }

  @Test func `a value that JSON cannot represent is not sent`() async {
    let questions = Questions()
    let report = await RemoteRule<Double>(via: questions.server).check(.nan)
    #expect(report.outcome == .undecided)
    #expect(questions.texts == [])
  }

  @Test func `the question is an object of instance and extra`() async {
    let questions = Questions()
    _ = await RemoteRule<String>(via: questions.server).check("a/\"b\"")
    _ = await RemoteRule<[Int]>(via: questions.server, extra: ["k": true]).check([1, 2])
    _ = await RemoteRule<String?>(via: questions.server).check(nil)
    _ = await RemoteRule<String?>(via: questions.server).check("x")
    #expect(
      questions.texts == [
        #"{"instance":"a/\"b\""}"#, #"{"extra":{"k":true},"instance":[1,2]}"#,
        #"{"instance":""}"#, #"{"instance":"x"}"#,
      ])
  }

  @Test func `one question can have an extra of its own`() async {
    let questions = Questions()
    let rule = RemoteRule<Int>(via: questions.server, extra: "all")
    _ = await rule.check(1, extra: "once")
    _ = await rule.check(2)
    #expect(
      questions.texts == [#"{"extra":"once","instance":1}"#, #"{"extra":"all","instance":2}"#])
  }

  @Test func `a late answer is no answer`() async {
    let clock = ManualClock()
    let silent = ScriptedServer { _ in
      try await ManualClock().sleep(for: .seconds(1))
      return RemoteAnswer(status: 200, body: [])
    }
    let rule = RemoteRule<Int>(via: silent, timeout: .seconds(5), clock: clock)
    async let report = rule.check(1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    #expect(await report.verdict == .undecided("the server did not answer within 5.0 seconds"))
  }

  @Test func `a cancelled question is undecided`() async {
    let clock = ManualClock()
    let silent = ScriptedServer { _ in
      try await clock.sleep(for: .seconds(1))
      return RemoteAnswer(status: 200, body: [])
    }
    let task = Task { await RemoteRule<Int>(via: silent).check(1) }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    #expect(await task.value.verdict == .undecided("the question was cancelled"))
    #expect(clock.sleepers == 0)
  }

  @Test func `a value that breaks an earlier rule is not sent`() async {
    let questions = Questions()
    let remote = RemoteRule<String>(via: questions.server)
    let rule = AsyncRule.all(Rule.notEmpty.async, remote.async).stoppingAtFirst
    #expect(await rule.check("").issues.map(\.code) == ["empty"])
    #expect(questions.texts == [])
    #expect(await rule.check("a") == .valid)
    #expect(questions.texts == [#"{"instance":"a"}"#])
  }

  @Test func `all servers have to agree, whichever answers first`() async {
    let yes = RemoteRule<Int>(via: ScriptedServer(200, "true")).async
    let no = RemoteRule<Int>(via: ScriptedServer(200, "false")).async
    #expect(await AsyncRule.all(yes, no).check(1).outcome == .failed)
    #expect(await AsyncRule.all(no, yes).check(1).outcome == .failed)
  }

  @Test(arguments: [
    (200, "true", FormPhase.valid), (200, "false", .invalid), (500, "true", .failed),
  ])
  func `A-23: a form is validating at once, and then has the server's verdict`(
    status: Int, body: String, phase: FormPhase
  ) async {
    let rule = RemoteRule<String>(via: ScriptedServer(status, body))
    let form = Form(
      FormQuestionTests.Entry(), fields: [FormField(\.name, "name", asking: rule.async)])
    #expect(form.state["name"]?.phase == .idle)
    form.name = "a"
    #expect(form.state["name"]?.phase != .idle)
    #expect(await form.settled()["name"]?.phase == phase)
  }
}
