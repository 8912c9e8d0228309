import FreshStore
import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

/// Asynchronous rules on the way into a collection.
@Suite(.timeLimit(.minutes(1))) struct AwaitedRuleTests {
  /// A rule that refuses "bad", and counts its checks.
  private struct Server: Sendable {
    let origin = ScriptedOrigin<String> { previous in .value(previous.key) }

    var rule: AsyncRule<String> {
      AsyncRule(code: "bad") { value in
        do {
          let answer = try await origin.fetch(Previous(key: value))
          return answer != .value("bad")
        } catch {
          return true
        }
      }
    }

    var questions: [String] { origin.requests.map(\.key) }
  }

  private func words(
    _ temporary: TemporaryStore, _ server: Server, policy: Policy = .sourceFirst
  ) throws -> RecordCollection<String> {
    try temporary.store.collection("words", policy: policy, admitting: .length(max: 5))
      .admitting(awaiting: server.rule)
  }

  @Test func `a fetched value that the server refuses is a failed fetch, and the copy stays`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let server = Server()
      let words = try words(temporary, server)
      try await words.put("good", for: "1")
      let origin = ScriptedOrigin<String> { _ in .value("bad") }

      let answer = try await words.get("1", from: origin)
      let failure = await words.failure("2", from: origin)

      #expect(answer.value == "good")
      #expect(answer.fetchFailure?.refusal?.map(\.code) == ["bad"])
      #expect(failure?.refusal?.map(\.code) == ["bad"])
      #expect(try words.read("1").copy?.value == "good")
    }
  }

  @Test func `a value that the server refuses is not put`() async throws {
    try await TemporaryStore.run { temporary in
      let words = try words(temporary, Server())
      let failure = await storeFailure { try await words.put(["1": "good", "2": "bad"]) }
      #expect(failure?.refusal?.map(\.code) == ["bad"])
      #expect(failure?.key == "2")
      #expect(try words.state("1") == .missing)
    }
  }

  @Test func `a value that breaks the other rules is not sent to the server`() async throws {
    try await TemporaryStore.run { temporary in
      let server = Server()
      let words = try words(temporary, server)
      let put = await storeFailure { try await words.put("too long", for: "1") }
      let fetched = await words.failure("1", from: ScriptedOrigin { _ in .value("too long") })
      #expect(put?.refusal?.map(\.code) == ["too-long"])
      #expect(fetched?.refusal?.map(\.code) == ["too-long"])
      #expect(server.questions.isEmpty)
    }
  }

  @Test func `each of several asynchronous rules is asked`() async throws {
    try await TemporaryStore.run { temporary in
      let words = try words(temporary, Server())
        .admitting(awaiting: AsyncRule(code: "worse") { $0 != "worse" })
      for (word, codes) in [("bad", ["bad"]), ("worse", ["worse"]), ("good", nil)] {
        let failure = await storeFailure { try await words.put(word, for: "1") }
        #expect(failure?.refusal?.map(\.code) == codes)
      }
    }
  }

  @Test func `a read asks no server`() async throws {
    try await TemporaryStore.run { temporary in
      let server = Server()
      try await temporary.store.collection("words", of: String.self).put("bad", for: "1")
      let words = try words(temporary, server, policy: .cacheFirst)
      #expect(try words.read("1").copy?.value == "bad")
      #expect(server.questions.isEmpty)
    }
  }

  @Test func `the server is asked once, however many callers wait for a value`() async throws {
    try await TemporaryStore.run { temporary in
      let server = Server()
      let words = try words(temporary, server)
      server.origin.hold()
      let origin = ScriptedOrigin<String> { _ in .value("good") }
      async let first = words.get("1", from: origin)
      await server.origin.calls(atLeast: 1)
      async let second = words.get("1", from: origin)
      await Task.yield()
      server.origin.release()
      _ = try await (first, second)
      #expect(origin.requests.count == server.questions.count)
    }
  }

  @Test func `the values of a batch are checked concurrently and independently`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let server = Server()
      let words = try words(temporary, server)
      server.origin.hold()
      async let got = words.get(["1", "2"]) { _ in ["1": .value("good"), "2": .value("bad")] }
      await server.origin.calls(atLeast: 2)
      server.origin.release()
      let results = await got
      #expect(try results["1"]?.get().value == "good")
      #expect(throws: GetError.self) { try results["2"]?.get() }
    }
  }

  @Test func `a server that does not answer in time refuses nothing`() async throws {
    try await TemporaryStore.run { temporary in
      let server = Server()
      let words = try words(temporary, server)
      server.origin.hold()
      let origin = ScriptedOrigin<String> { _ in .value("bad") }
      async let got = words.get("1", from: origin)
      await server.origin.calls(atLeast: 1)
      // The lease is renewed, and the rule has its deadline.
      await temporary.clock.sleepers(atLeast: 2)
      temporary.clock.advance(by: words.policy.hardTimeout)
      let answer = try await got
      #expect(answer.value == "bad" && answer.fetchFailure == nil)
    }
  }

  /// A server that never answers.
  private struct MuteServer: RemoteRuleTransport {
    let isAsked = Latch(isOpen: false)

    func answer(to body: [UInt8]) async throws -> RemoteAnswer {
      isAsked.open()
      try await Task.sleep(for: .seconds(86_400))
      return RemoteAnswer(status: 200, body: Array("true".utf8))
    }
  }

  @Test(arguments: RemoteRule<String>.Unanswered.allCases)
  func `a remote rule treats the policy's hard timeout like a missing answer`(
    unanswered: RemoteRule<String>.Unanswered
  ) async throws {
    try await TemporaryStore.run { temporary in
      let server = MuteServer()
      let words = try temporary.store.collection("words", of: String.self)
        .admitting(awaiting: RemoteRule<String>(via: server, unanswered: unanswered).async)
      let put = Task { await storeFailure { try await words.put("word", for: "1") } }
      try await server.isAsked.pass()
      await temporary.clock.sleepers(atLeast: 1)
      temporary.clock.advance(by: words.policy.hardTimeout)
      let codes = await put.value?.refusal?.map(\.code)
      #expect(codes == (unanswered == .broken ? ["remote-unanswered"] : nil))
    }
  }

  @Test func `the timestamp of a value is the end of its fetch`() async throws {
    try await TemporaryStore.run { temporary in
      let server = Server()
      let words = try words(temporary, server)
      server.origin.hold()
      let end = temporary.clock.reading().wall
      async let got = words.get("1", from: ScriptedOrigin { _ in .value("good") })
      await server.origin.calls(atLeast: 1)
      temporary.clock.advance(by: .seconds(3))
      server.origin.release()
      let answer = try await got
      #expect(answer.lastUpdate == end && answer.age == .seconds(3))
    }
  }

  @Test(arguments: [-3600, 3600], [true, false])
  func `a clock that is set while the server is asked makes a value neither older nor younger`(
    step: Int, isPut: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let server = Server()
      let words = try words(temporary, server)
      server.origin.hold()
      let stated = temporary.clock.reading().wall.advanced(by: .seconds(-5))
      let details = FetchDetails(lastUpdate: stated, expiry: .never)
      let stored = Task {
        if isPut {
          try await words.put("good", for: "1", details: details)
        } else {
          _ = try await words.get("1", from: ScriptedOrigin { _ in .value("good", details) })
        }
      }
      await server.origin.calls(atLeast: 1)
      temporary.clock.advance(by: .seconds(3))
      temporary.clock.stepWall(by: .seconds(step))
      server.origin.release()
      try await stored.value
      #expect(try words.read("1").decision.age == .seconds(8))
    }
  }

  @Test func `a get that is cancelled while the server is asked stores nothing`() async throws {
    try await TemporaryStore.run { temporary in
      let server = Server()
      let words = try words(temporary, server)
      server.origin.hold()
      let get = Task { await words.failure("1", from: ScriptedOrigin { _ in .value("bad") }) }
      await server.origin.calls(atLeast: 1)
      get.cancel()
      #expect(await get.value?.code == .cancelled)
      let again = ScriptedOrigin<String> { _ in .value("good") }
      server.origin.release()
      #expect(try await words.get("1", from: again).value == "good")
    }
  }

  @Test func `a put that is cancelled while the server is asked is refused`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let server = Server()
      let words = try words(temporary, server)
      server.origin.hold()
      let put = Task { await storeFailure { try await words.put("bad", for: "1") } }
      await server.origin.calls(atLeast: 1)
      put.cancel()
      server.origin.release()
      #expect(await put.value?.refusal?.map(\.code) == ["bad"])
    }
  }

  @Test func `a get that bypasses the store asks the server, too`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.mode = .bypass
      let words = try words(temporary, Server(), policy: policy)
      let failure = await words.failure("1", from: ScriptedOrigin { _ in .value("bad") })
      #expect(failure?.refusal?.map(\.code) == ["bad"])
    }
  }
}
