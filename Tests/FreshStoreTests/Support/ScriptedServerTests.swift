import FreshStore
import Strategies
import Synchronization
import Testing

@testable import FreshStoreTesting

/// A scripted server, asked without a store.
@Suite(.timeLimit(.minutes(1))) struct ScriptedServerTests {
  private func write(
    _ value: String?, for key: String = "1", as kind: WriteKind = .replace,
    key idempotencyKey: String,
    on tag: String? = nil, isBaseAbsent: Bool = false
  ) -> PendingWrite<String> {
    PendingWrite(
      key: key, kind: kind, value: value, idempotencyKey: idempotencyKey,
      baseValidators: Validators(entityTag: tag), isBaseAbsent: isBaseAbsent)
  }

  private func tag(_ server: ScriptedServer<String>, _ key: String = "1") -> String? {
    guard case .value(_, let details) = server.present(key) else { return nil }
    return details.validators.entityTag
  }

  // MARK: Fetches

  @Test func `a fetch gets the value, then not modified, then the changed value, then gone`()
    async throws
  {
    let server = ScriptedServer(["1": "one"], details: FetchDetails(expiry: .never))
    let first = try await server.fetch(Previous(key: "1"))
    guard case .value("one", let details) = first else {
      Issue.record("\(first)")
      return
    }
    let known = Previous(key: "1", value: "one", validators: details.validators)

    #expect(details.expiry == .never)
    #expect(try await server.fetch(known) == .notModified(details))
    server["1"] = "two"
    guard case .value("two", _) = try await server.fetch(known) else {
      Issue.record("the change was not seen")
      return
    }
    server["1"] = nil
    #expect(try await server.fetch(known) == .gone)
    #expect(server.fetches.count == 4)
  }

  @Test func `scripted replies go to their key first, then to any, each once`() async throws {
    let server = ScriptedServer(["1": "one", "2": "two"])
    server.answerFetches(with: .answer(.value("any")))
    server.answerFetches(of: "2", with: .answer(.gone), .failure())

    #expect(try await server.fetch(Previous(key: "2")) == .gone)
    await #expect(throws: ScriptedFailure.self) { try await server.fetch(Previous(key: "2")) }
    #expect(try await server.fetch(Previous(key: "1")) == .value("any"))
    #expect(try await server.fetch(Previous(key: "1")) == server.present("1"))
  }

  // MARK: Pushes

  @Test func `a repeated idempotency key gets the first answer, and changes nothing`() async throws
  {
    let server = ScriptedServer<String>()
    let first = try await server.push(write("mine", key: "a"))
    let before = tag(server)
    server["1"] = "theirs"
    let second = try await server.push(write("mine", key: "a"))

    guard case .accepted(let one) = first, case .accepted(let two) = second else {
      Issue.record("\(first), \(second)")
      return
    }
    #expect(one == two && one.validators.entityTag == before)
    #expect(server["1"] == "theirs")
    #expect(server.pushes.map(\.idempotencyKey) == ["a", "a"])
  }

  @Test func `a server without idempotency keys applies a repeated write again`() async throws {
    let server = ScriptedServer<String>(knowsIdempotencyKeys: false)
    _ = try await server.push(write("mine", key: "a"))
    server["1"] = "theirs"
    _ = try await server.push(write("mine", key: "a"))

    #expect(server["1"] == "mine")
  }

  @Test(
    arguments: [
      (.replace, "old", false), (.replace, "present", true), (.replace, nil, true),
      (.create, nil, false), (.delete, "old", false), (.delete, "present", true),
      (.patch([], contentType: "a/b"), "old", false),
    ] as [(WriteKind, String?, Bool)])
  func `a conditional server accepts a write on its present version, or on none`(
    kind: WriteKind, base: String?, isAccepted: Bool
  ) async throws {
    let server = ScriptedServer(["1": "one"], isConditional: true)
    let old = tag(server)
    server["1"] = "theirs"
    let tags = ["old": old, "present": tag(server)]
    let pushed = try await server.push(
      write(
        kind == .delete ? nil : "mine", as: kind, key: "a", on: base.flatMap { tags[$0] ?? nil }))

    switch pushed {
    case .accepted(_):
      #expect(isAccepted)
      #expect(server["1"] == (kind == .delete ? nil : "mine"))
    case .conflict(let present):
      #expect(!isAccepted)
      #expect(present == server.present("1") && server["1"] == "theirs")
    default: Issue.record("\(pushed)")
    }
  }

  @Test func `a write upon a known absence meets a conflict where something is`() async throws {
    let server = ScriptedServer(["1": "one"], isConditional: true)
    guard case .conflict(_) = try await server.push(write("mine", key: "a", isBaseAbsent: true))
    else {
      Issue.record("no conflict")
      return
    }
    guard
      case .accepted = try await server.push(write("mine", for: "2", key: "b", isBaseAbsent: true))
    else {
      Issue.record("a conflict")
      return
    }
    #expect(server["2"] == "mine")
  }

  @Test func `a scripted acceptance is stored, a scripted conflict and a refusal change nothing`()
    async throws
  {
    let server = ScriptedServer(["1": "one"])
    server.answerPushes(
      with: .answer(.conflict(server.present("1"))), .answer(.refused("no")),
      .answer(.acceptedAs("MINE", FetchDetails())))
    server["1"] = "two"

    guard case .conflict(let present) = try await server.push(write("mine", key: "a")) else {
      Issue.record("no conflict")
      return
    }
    #expect(present == server.present("1"))
    guard case .refused(_) = try await server.push(write("mine", key: "a")), server["1"] == "two"
    else {
      Issue.record("not refused")
      return
    }
    guard case .acceptedAs("MINE", let details) = try await server.push(write("mine", key: "a"))
    else {
      Issue.record("not accepted")
      return
    }
    #expect(server["1"] == "MINE" && details.validators.entityTag == tag(server))
  }

  @Test func `a lost answer comes after the write was applied, a failure before`() async throws {
    let server = ScriptedServer<String>()
    server.answerPushes(with: .failure(), .lost())

    await #expect(throws: ScriptedFailure.self) { try await server.push(write("mine", key: "a")) }
    #expect(server["1"] == nil)
    await #expect(throws: ScriptedFailure.self) { try await server.push(write("mine", key: "a")) }
    #expect(server["1"] == "mine")
  }

  @Test func `a released request passes although another was held before it had begun to wait`()
    async throws
  {
    let server = ScriptedServer(["1": "one"])
    // A request takes this latch on its arrival; it has not begun to wait yet.
    let first = server.state.withLock(\.latch)
    server.release()
    server.answerFetches(with: .held)
    async let second = server.fetch(Previous(key: "1"))
    await server.fetches(atLeast: 1)

    try await first.pass()

    server.release()
    guard case .value("one", _) = try await second else {
      Issue.record("the second was not answered")
      return
    }
  }

  @Test func `a held write arrives when it is released`() async throws {
    let server = ScriptedServer<String>()
    server.answerPushes(of: "1", with: .held)
    let (held, other) = (write("mine", key: "a"), write("other", for: "2", key: "b"))
    let pushing = Task { try await server.push(held) }
    await server.pushes(atLeast: 1)
    _ = try await server.push(other)

    #expect(server["1"] == nil && server["2"] == "other")
    server.release()
    guard case .accepted(_) = try await pushing.value else {
      Issue.record("not accepted")
      return
    }
    #expect(server["1"] == "mine")
  }

  @Test func `a held write arrives although its sender has given up`() async throws {
    let server = ScriptedServer<String>()
    server.hold()
    let held = write("mine", key: "a")
    let pushing = Task { try await server.push(held) }
    await server.pushes(atLeast: 1)
    pushing.cancel()
    await #expect(throws: CancellationError.self) { try await pushing.value }

    #expect(server["1"] == nil)
    server.release()
    #expect(server["1"] == "mine")
    guard case .accepted(_) = try await server.push(held) else {
      Issue.record("not accepted")
      return
    }
    #expect(server.pushes.count == 2)
  }

  @Test func `a late answer comes when the clock says so, and its write is there at once`()
    async throws
  {
    let (server, clock) = (ScriptedServer<String>(), ManualClock())
    server.answerPushes(with: .late(by: .seconds(5), on: clock))
    let late = write("mine", key: "a")
    let pushing = Task { try await server.push(late) }
    await clock.sleepers(atLeast: 1)

    #expect(server["1"] == "mine")
    clock.advance(by: .seconds(5))
    guard case .accepted(_) = try await pushing.value else {
      Issue.record("not accepted")
      return
    }
  }

  @Test func `a server that is down answers nothing, and keeps its script`() async throws {
    let server = ScriptedServer(["1": "one"])
    server.answerFetches(with: .answer(.gone))
    server.goDown()
    await #expect(throws: ScriptedFailure.self) { try await server.fetch(Previous(key: "1")) }
    await #expect(throws: ScriptedFailure.self) {
      try await server.list(PreviousList(name: "all"))
    }
    server.comeBack()

    #expect(try await server.fetch(Previous(key: "1")) == .gone)
  }

  @Test func `names that are equal to Swift and different by bytes are two objects`() async throws {
    let server = ScriptedServer<String>()
    server["\u{e9}"] = "composed"
    server["e\u{301}"] = "decomposed"

    #expect(server["\u{e9}"] == "composed" && server["e\u{301}"] == "decomposed")
    #expect(server.keys.count == 2)
  }

  // MARK: Lists

  private func cursor(_ change: SourceListChange<String>) throws -> String {
    switch change {
    case .full(_, let cursor?), .delta(_, _, let cursor?): return cursor
    default:
      Issue.record("\(change)")
      throw CancellationError()
    }
  }

  @Test func `a list is told in full, then by its changes, then as not modified`() async throws {
    let server = ScriptedServer(["1": "one", "2": "two", "3": "three"], listsValues: false)
    let whole = try await server.list(PreviousList(name: "all"))
    let first = try cursor(whole)
    server["2"] = "TWO"
    server["3"] = nil
    server["4"] = "four"
    server["5"] = "five"
    server["5"] = nil
    let changes = try await server.list(PreviousList(name: "all", cursor: first))
    let second = try cursor(changes)

    #expect(whole == .full(["1": .named, "2": .named, "3": .named], cursor: first))
    #expect(
      changes == .delta(["2": .changed, "4": .changed], removals: ["3"], cursor: second))
    #expect(try await server.list(PreviousList(name: "all", cursor: second)) == .notModified)
    #expect(server.lists.map(\.cursor) == [nil, first, second])
  }

  @Test func `a list with values states what a fetch states`() async throws {
    let server = ScriptedServer(["1": "one"])
    guard case .value(let value, let details) = server.present("1"),
      case .full(let members, _) = try await server.list(PreviousList(name: "all"))
    else {
      Issue.record("no value")
      return
    }
    #expect(members == ["1": .value(value, details)])
  }

  @Test func `an object leaves a list when it no longer belongs on it`() async throws {
    let server = ScriptedServer(["1": "open", "2": "open", "3": "done"], listsValues: false)
    server.setMembers(of: "open") { _, value in value == "open" }
    let whole = try await server.list(PreviousList(name: "open"))
    let first = try cursor(whole)
    server["1"] = "done"
    server["3"] = "done, and described"
    let changes = try await server.list(PreviousList(name: "open", cursor: first))

    #expect(whole == .full(["1": .named, "2": .named], cursor: first))
    let second = try cursor(changes)
    #expect(changes == .delta([:], removals: ["1"], cursor: second))
  }

  @Test(arguments: ["-1", "99", "not a cursor", "0"])
  func `a cursor that it has not given out, or has forgotten, has expired`(cursor: String)
    async throws
  {
    let server = ScriptedServer(["1": "one"])
    server.expireCursors()

    #expect(try await server.list(PreviousList(name: "all", cursor: cursor)) == .expiredCursor)
    #expect(try await server.list(PreviousList(name: "all")) == server.wholeList("all"))
  }

  @Test func `a scripted list can be told in full whatever its cursor`() async throws {
    let server = ScriptedServer(["1": "one"])
    let first = try cursor(server.wholeList("all"))
    server.answerLists(of: "all", with: .answer(server.wholeList("all")), .failure())
    server["2"] = "two"

    let answer = try await server.list(PreviousList(name: "all", cursor: first))
    #expect(answer == server.wholeList("all"))
    await #expect(throws: ScriptedFailure.self) {
      try await server.list(PreviousList(name: "all"))
    }
  }
}
