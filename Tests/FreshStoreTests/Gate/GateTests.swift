import FreshStoreTools
import Strategies
import Synchronization
import Testing

@testable import FreshStore

/// The gate and the plan as pure functions.
@Suite struct GateTests {
  private static let now = ClockReading(
    wall: Timestamp(millisecondsSinceEpoch: 1_000_000), boot: 1, sinceBoot: 500_000)

  private static func record(
    age: Duration, _ change: (inout StoredRecord) -> Void = { _ in }
  ) -> StoredRecord {
    var content = RecordContent(collection: "c", key: "k", expiry: .after(.seconds(10)))
    content.lastUpdate = now.wall.advanced(by: .zero - age)
    content.value = [1]
    var record = StoredRecord(content: content, kind: .value, epoch: 5)
    change(&record)
    return record
  }

  private func decide(
    _ record: StoredRecord?, covering: StoredRecord.Mark? = nil,
    reachability: Reachability = .online, _ policy: Policy = Policy()
  ) -> Decision {
    let gate = Gate(
      chain: [.reachability { reachability }, .invalidation(), .timestamp(), .default()],
      allowedSkew: .seconds(5))
    return gate.decide(
      Gate.Question(
        collection: "c", key: "k",
        record: record.map { JudgedRecord($0, coveringMark: covering) }),
      policy: policy, now: Self.now)
  }

  @Test(arguments: [(5, true), (100, false)])
  func `a copy that is valid only because of being offline is not called fresh`(
    seconds: Int, isFresh: Bool
  ) {
    let gate = Gate(
      chain: [
        .all(.reachability(.fixed(.offline("x"))), .maxAge(.seconds(1000))), .timestamp(),
        .default(),
      ], allowedSkew: .seconds(5))
    let record = Self.record(age: .seconds(seconds))
    let decision = gate.decide(
      Gate.Question(
        collection: "c", key: "k", record: JudgedRecord(record, coveringMark: nil)),
      policy: Policy(), now: Self.now)
    #expect(decision.outcome == (isFresh ? .fresh : .offline))
  }

  @Test(arguments: [(5, false), (6, true)]) func `an invalidation covers older records`(
    _ epoch: Int64, _ isCovered: Bool
  ) {
    let record = Self.record(age: .seconds(1)) { $0.coveringEpoch = epoch }
    #expect(decide(record).outcome == (isCovered ? .stale : .fresh))
    #expect(decide(record).mark == (isCovered ? "invalidated" : nil))
  }

  @Test func `a marked and expired record is stale since the earlier of both moments`() {
    let mark = StoredRecord.Mark(
      at: Self.now.wall.advanced(by: .seconds(-3)), reason: "edited", epoch: 7)
    let expired = Self.record(age: .seconds(15)) { $0.mark = mark }
    let young = Self.record(age: .seconds(5)) { $0.mark = mark }
    let covered = Self.record(age: .seconds(5)) { $0.coveringEpoch = 7 }

    #expect(decide(expired).staleFor == .seconds(5))
    #expect(decide(young).staleFor == .seconds(3))
    #expect(decide(covered, covering: mark).staleFor == .seconds(3))
    #expect(decide(Self.record(age: .seconds(5))).staleSince == nil)
  }

  @Test func `the record's own statements take precedence over the policy`() {
    let record = Self.record(age: .seconds(15)) { record in
      record.content.hardEnd = .seconds(100)
      record.content.graceOnError = .seconds(1)
      record.content.graceWhileRevalidating = .seconds(2)
    }
    var policy = Policy()
    policy.hardEnd = .seconds(15)
    policy.graceOnError = .seconds(60)
    policy.graceWhileRevalidating = .seconds(60)
    let decision = decide(record, policy)

    #expect(decision.outcome == .stale && decision.hardEnd == .seconds(100))
    #expect(decision.graceOnError == .seconds(1))
    #expect(decision.graceWhileRevalidating == .seconds(2))
    #expect(decide(Self.record(age: .seconds(15)), policy).outcome == .unusable)
  }

  @Test func `a strict caller's decision does not depend on the network`() {
    let record = Self.record(age: .seconds(15))
    #expect(decide(record, reachability: .offline("no route")).outcome == .offline)
    #expect(decide(record, reachability: .offline("no route"), .strict).outcome == .stale)
  }

  @Test func `a fresh record is fresh while offline, too`() {
    let record = Self.record(age: .seconds(5))
    #expect(decide(record, reachability: .offline("no route")).outcome == .fresh)
  }

  @Test func `a record in doubt is decided before any strategy is asked`() {
    let damaged = Self.record(age: .seconds(1)) { $0.isIntact = false }
    let never = Self.record(age: .seconds(1)) { $0.kind = .unfetched }

    #expect(decide(nil).cause == .nothingStored)
    #expect(decide(never).cause == .neverFetched)
    #expect(decide(damaged).cause == .damaged)
    #expect([decide(nil), decide(never), decide(damaged)].allSatisfy { $0.decidedBy == "record" })
  }

  @Test func `the fast path to a decision agrees with the chain`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<4_000 {
      let asked = Mutex<[Int]>([])
      func own(_ number: Int) -> AnyStrategy<RecordStamps> {
        let verdicts = [
          Opinion.valid(.custom("own")), .invalid(.custom("own")), .unknown(.custom("own")),
          .unknown(.custom("own")),
        ]
        let opinion = verdicts.randomElement(using: &random) ?? .valid(.custom("own"))
        return .asking("own \(number)") { _, _ in
          asked.withLock { $0.append(number) }
          return opinion
        }
      }
      let offline: Reachability = Bool.random(using: &random) ? .online : .offline("no route")
      let chains: [Chain<RecordStamps>] = [
        [.reachability { offline }, .invalidation(), .timestamp(), .default()],
        [.reachability { offline }, .timestamp(), .default()],
        [.timestamp(), .reachability { offline }],
        [.invalidation(), .timestamp(bound: .inclusive)], [.default()],
        [.timestamp(), .invalidation()],
        [.timestamp(allowedSkew: .seconds(1))], [.maxAge(.seconds(2)), .timestamp()],
        [own(1), .reachability { offline }, own(2), .invalidation(), own(3), .timestamp(), own(4)],
        [.any(own(1), .reachability { offline }), .timestamp()], [.default(), .timestamp()],
      ]
      let chain = chains.randomElement(using: &random) ?? []
      let plain = Gate(chain: chain, allowedSkew: .seconds(5))
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.chain = chain
      let short = Gate(configuration)
      let record = Self.record(age: .seconds(Int.random(in: -8...14, using: &random))) { record in
        if Int.random(in: 0..<4) == 0 { record.content.expiry = .never }
        if Int.random(in: 0..<8) == 0 { record.content.expiry = .immediately }
        if Int.random(in: 0..<8) == 0 { record.content.expiry = .unstated }
        if Int.random(in: 0..<8) == 0 { record.content.lastUpdate = nil }
        if Int.random(in: 0..<8) == 0 { record.content.hardEnd = .seconds(7) }
        if Int.random(in: 0..<8) == 0 { record.content.mustRevalidate = true }
        if Bool.random() { record.content.graceOnError = .seconds(1) }
        if Bool.random() { record.content.graceWhileRevalidating = .seconds(2) }
        if Int.random(in: 0..<8) == 0 { record.coveringEpoch = 6 }
        if Int.random(in: 0..<8) == 0 { record.kind = .absent }
        if Int.random(in: 0..<8) == 0 { record.isIntact = false }
        if Int.random(in: 0..<8) == 0 { record.isPending = true }
        if Bool.random() { (record.boot, record.bootStamp) = (1, 500_000 - 3_000) }
      }
      var policy = Policy()
      if Int.random(in: 0..<8) == 0 { policy.hardEnd = .seconds(4) }
      if Int.random(in: 0..<8) == 0 { policy.mustRevalidate = true }
      policy.reachability = [.ask, .ignore, .assume(offline)].randomElement(using: &random) ?? .ask
      let question = Gate.Question(
        collection: "c", key: "k", record: JudgedRecord(record, coveringMark: nil))
      let one = plain.decide(question, policy: policy, now: Self.now)
      let askedByChain = asked.withLock { asked in
        defer { asked = [] }
        return asked
      }
      let other = short.decide(question, policy: policy, now: Self.now)
      #expect(Self.content(of: one) == Self.content(of: other))
      #expect(asked.withLock { $0 } == askedByChain)
    }
  }

  private static func content(of decision: Decision) -> [String] {
    Mirror(reflecting: decision.facts).children.map { "\($0.label ?? ""): \($0.value)" }
  }

  @Test func `an explained decision has its trace, also for a fresh record`() {
    let gate = Gate(Configuration(reachability: .fixed(.online)))
    let question = Gate.Question(
      collection: "c", key: "k",
      record: JudgedRecord(Self.record(age: .seconds(1)), coveringMark: nil))

    let explained = gate.decide(question, policy: Policy(), now: Self.now, explains: true)
    let plain = gate.decide(question, policy: Policy(), now: Self.now)

    #expect(explained.outcome == .fresh && plain.outcome == .fresh)
    #expect(explained.trace.last?.strategy == "timestamp")
    #expect(plain.trace.isEmpty)
  }

  @Test func `a record ahead by the allowed skew is before its hard end`() {
    func outcome(_ ahead: Duration) -> Decision.Outcome {
      decide(Self.record(age: .zero - ahead) { $0.content.hardEnd = .seconds(100) }).outcome
    }
    #expect(outcome(.seconds(5)) == .fresh)
    #expect(outcome(.seconds(5) + .milliseconds(1)) == .unusable)
  }

  @Test func `a chain is recognised by its strategies, whoever created it`() {
    func gate(_ chain: Chain<RecordStamps>) -> Gate {
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.chain = chain
      return Gate(configuration)
    }
    for chain: Chain<RecordStamps> in [
      [.reachability(.fixed(.online)), .invalidation(), .timestamp(), .default()],
      [.reachability(.fixed(.online)), .timestamp(), .default()], [.timestamp()],
    ] {
      #expect(gate(chain).settlesByAge && gate(chain).ahead == nil)
    }
    for chain: Chain<RecordStamps> in [[], [.default()], [.timestamp(allowedSkew: .seconds(60))]] {
      #expect(!gate(chain).settlesByAge)
    }
    let own = gate([
      .maxAge(.seconds(1)), .reachability(.fixed(.online)), .version(1), .timestamp(), .default(),
    ])
    #expect(own.settlesByAge)
    #expect(own.ahead?.before.map(\.name) == ["maxAge"])
    #expect(own.ahead?.after.map(\.name) == ["version"])
  }

  @Test(arguments: [(0, 1.0), (1, 0.999_999), (100, 0.5)])
  func `XFetch looks ahead by the cost of the last fetch`(_ milliseconds: Int, _ random: Double) {
    let ahead = Double(milliseconds) * NaturalLogarithm.negated(of: random)
    #expect(ahead >= 0 && ahead <= Double(milliseconds))
    #expect(NaturalLogarithm.negated(of: 0).isFinite)
  }

  @Test func `an expiry is stored in one column and read back`() {
    let expiries: [Expiry] = [.after(.milliseconds(1)), .never, .immediately, .unstated]
    #expect(expiries.map(\.stored) == [1, -1, 0, nil])
    #expect(expiries.map { Expiry(stored: $0.stored) } == expiries)
    #expect(Expiry.after(.seconds(Int64.max)).stored == 1_000_000_000_000_000)
    #expect(Expiry.after(.seconds(-1)).stored == 0)
  }
}
