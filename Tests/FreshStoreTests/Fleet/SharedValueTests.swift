import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// A value from the fleet is checked like a value from a source.
@Suite struct SharedValueTests {
  private let origin = ScriptedOrigin<String> { _ in .value("one") }

  /// A change of a record in flight, and its name.
  struct Harm: Sendable, CustomStringConvertible {
    let name: String
    let change: @Sendable (SharedRecord) -> SharedRecord
    var description: String { name }

    init(_ name: String, _ change: @escaping @Sendable (inout SharedRecord) -> Void) {
      self.name = name
      self.change = { record in
        var record = record
        change(&record)
        return record
      }
    }

    static let all = [
      Harm("a changed value") { $0.value = Array("\"two\"".utf8) },
      Harm("a value without stamps") { $0.stamps = [] },
      Harm("changed stamps") { $0.stamps[$0.stamps.count / 2] ^= 1 },
      Harm("stamps of another kind") { $0.stamps = Array("of another program".utf8) },
      Harm("another tag") { $0.tags.append(Array("x".utf8)) },
      Harm("a tag that is no text") { $0.tags = [[0xFF]] },
      Harm("an absence with a value's stamps") { ($0.isAbsent, $0.value) = (true, nil) },
      Harm("no value") { $0.value = nil },
    ]
  }

  @Test(arguments: Harm.all)
  func `is refused, and the source is asked`(_ harm: Harm) async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      fleet.tier.changeLanded(harm.change)
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)

      let answer = try await fleet.articles(1).get("1", from: origin)

      #expect(answer.value == "one" && answer.freshness == .fetched)
      #expect(origin.calls == 2)
    }
  }

  @Test func `of another version of the content is not served`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      let newer = try fleet.hosts[1].store.collection(
        "articles", of: String.self, contentVersion: 2)

      #expect(try await newer.get("1", from: origin).freshness == .fetched)
      #expect(origin.calls == 2)
    }
  }

  @Test func `that breaks a host's rules does not replace its copy`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let short = Rule<String>(code: "short", message: "at most three letters") { $0.count <= 3 }
      let here = try fleet.articles(0)
      let there = try fleet.articles(1).admitting(short)
      for articles in [here, there] { try await articles.get("1", from: origin) }
      fleet.advance(by: .minutes(6))
      origin.answer { _ in .value("much longer") }
      try await here.get("1", from: origin)
      await fleet.tier.landings(atLeast: 2)

      let failure = await there.failure("1", from: origin)

      guard case .refused = failure?.fetchFailure?.code else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(try there.read("1").copy?.value == "one")
    }
  }

  /// Lets values stay with their hosts.
  private func withholdValues(_ fleet: TestHosts) {
    fleet.tier.changeLanded { record in
      var record = record
      record.value = nil
      return record
    }
  }

  /// Lets a host have a copy that is due, and another one the same, which it has renewed; the value stays there.
  private func withRenewedValue(
    _ body: (TestHosts, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      withholdValues(fleet)
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      try await here.get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await there.get("1", from: origin)
      fleet.advance(by: .minutes(6))
      try await here.get("1", from: origin)
      await fleet.tier.landings(atLeast: 2)
      try await body(fleet, there)
    }
  }

  @Test func `that stays with its host renews an equal copy`() async throws {
    try await withRenewedValue { (_, there) async throws in
      let answer = try await there.get("1", from: origin)

      #expect(answer.value == "one" && answer.age == .zero)
      #expect(origin.calls == 3)
    }
  }

  @Test func `that stays with its host renews no copy whose blocks have gone`() async throws {
    let text = String(repeating: "long ", count: 120_000)
    origin.answer { _ in .value(text) }
    try await withRenewedValue { (fleet, there) async throws in
      // A removal of all records has begun before the question, and comes to this one while it is answered.
      let store = fleet.hosts[1].store
      let number = try store.storage.beginRemovingAll("articles", now: store.now())
      fleet.tier.afterNextClaim {
        do {
          #expect(try store.storage.removeAll("articles", before: number, limit: 500) == 1)
          _ = try await store.sweep()
        } catch {
          Issue.record(error)
        }
      }

      let answer = try await there.get("1", from: origin)

      #expect(answer.value == text && answer.freshness == .fetched)
      #expect(origin.calls == 4)
      #expect(try there.value("1") == text)
    }
  }

  /// The reasons why a value is of no use to other hosts.
  enum Use: CaseIterable {
    case isTooLarge, isNeverFresh, isUnstorable

    var details: FetchDetails {
      switch self {
      case .isTooLarge: FetchDetails()
      case .isNeverFresh: FetchDetails(expiry: .immediately)
      case .isUnstorable: FetchDetails(isStorable: false)
      }
    }
  }

  @Test(arguments: Use.allCases)
  func `of no use to others is fetched by all at once`(_ use: Use) async throws {
    try await TestHosts.run(3) { (fleet) async throws in
      if use == .isTooLarge { withholdValues(fleet) }
      origin.answer { _ in .value("one", use.details) }
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      let (first, second) = (try fleet.articles(1), try fleet.articles(2))
      origin.hold()
      async let one = first.get("1", from: origin)
      async let other = second.get("1", from: origin)

      await origin.calls(atLeast: 3)

      origin.release()
      #expect(try await one.value == "one")
      #expect(try await other.value == "one")
    }
  }

  @Test func `of no use to others at one time is of use at another`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      origin.answer { _ in .value("one", FetchDetails(isStorable: false)) }
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      fleet.advance(by: .minutes(1))
      origin.answer { _ in .value("two") }
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 2)

      #expect(try await fleet.articles(1).get("1", from: origin).value == "two")
      #expect(origin.calls == 2)
    }
  }

  @Test func `of no use to a policy is fetched`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      fleet.advance(by: .minutes(2))
      var policy = Policy()
      policy.hardEnd = .minutes(1)

      let answer = try await fleet.articles(1, policy).get("1", from: origin)

      #expect(answer.freshness == .fetched && origin.calls == 2)
    }
  }
}
