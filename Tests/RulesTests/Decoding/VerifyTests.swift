import Rules
import Testing

@Suite struct VerifyTests {
  private struct Basket {
    var orders = [Order(), Order()]
    var byName = ["b": Client(), "a": Client()]
    var gift: Client? = Client()
  }

  private func failed(
    _ order: inout Order, strict: Bool = false, mode: Findings.Mode = .all,
    _ body: (inout Order) -> Void
  ) -> Report? {
    failure { () throws(VerificationError) in
      try verify(&order, strict: strict, mode: mode, body)
    }
  }

  @Test func `assignments that keep their rules are committed, and the result is returned`() throws
  {
    var order = Order()
    let result = try verify(&order) { draft in
      draft.amount = 5
      draft.client.name = "Bob"
      return draft.amount
    }
    #expect(order == Order(amount: 5, client: Client(name: "Bob")))
    #expect(result == 5)
  }

  @Test func `K-17: every failed assignment of a block is reported, in order`() throws {
    var order = Order()
    let report = try #require(
      failed(&order) { draft in
        draft.amount = -1
        draft.amount = -2
        draft.client.name = "foo"
      })
    #expect(report.lines == ["amount too-small", "amount too-small"])
  }

  @Test(arguments: [Findings.Mode.all, .first])
  func `K-18: nothing of a failed block is kept`(mode: Findings.Mode) {
    var order = Order()
    #expect(
      failed(&order, mode: mode) { draft in
        draft.amount = -1
        draft.client.name = "foo"
      } != nil)
    #expect(order == Order())
  }

  @Test func `K-18: stopping mode reports only the first failure`() {
    var order = Order()
    let report = failed(&order, mode: .first) { draft in
      draft.name = ""
      draft.client.name = ""
      draft.amount = -2
    }
    #expect(report?.lines == ["client.name empty"])
  }

  @Test func `K-19: a should that breaks its rule is nil, and an error in strict mode`() {
    var order = Order()
    #expect(failed(&order) { $0.name = "" } == nil)
    #expect(order.name == nil)
    order.name = "again"
    let report = failed(&order, strict: true) { $0.name = "" }
    #expect(report?.issues == [Issue("empty", path: "name", severity: .should)])
    #expect(order.name == "again")
  }

  @Test func `K-R03: after a failed block every property accepts values`() {
    var order = Order()
    #expect(failed(&order) { $0.amount = -1 } != nil)
    order.amount = 4
    order.client.name = "new"
    #expect(order == Order(amount: 4, client: Client(name: "new")))
    #expect(failed(&order) { $0.amount = 6 } == nil)
    #expect(order.amount == 6)
  }

  @Test func `K-R04: assignments before the failure are rolled back`() {
    var order = Order()
    #expect(
      failed(&order) { draft in
        draft.client.name = "before"
        draft.amount = -1
      } != nil)
    #expect(order.client.name == "Ada")
  }

  @Test func `K-R05: in a block over two models paths begin with their names`() throws {
    var (mine, yours) = (Order(), Order())
    let report = failure { () throws(VerificationError) in
      try verify(&mine, "mine", &yours, "yours") { mine, yours in
        mine.amount = -1
        yours.amount = 7
        yours.client.name = ""
      }
    }
    #expect(report?.lines == ["mine.amount too-small", "yours.client.name empty"])
    #expect(yours == Order())
    try verify(&mine, "mine", &yours, "yours") { mine, yours in
      mine.amount = 2
      yours.amount = 3
    }
    #expect([mine.amount, yours.amount] == [2, 3])
  }

  @Test func `K-R05: a tuple holds any number of models`() {
    var all = (one: Order(), two: Order(), three: Order())
    let report = failure { () throws(VerificationError) in
      try verify(&all) { $0.three.amount = -1 }
    }
    #expect(report?.lines == ["three.amount too-small"])
  }

  @Test func `K-R06: a should accepts a value after a must has failed`() {
    var order = Order()
    var seen: String?
    #expect(
      failed(&order) { draft in
        draft.amount = -1
        draft.name = "fine"
        seen = draft.name
      } != nil)
    #expect(seen == "fine")
  }

  @Test func `K-R15: an underscore in a property's name stays in the path`() {
    struct Counts {
      // swift-format-ignore: AlwaysUseLowerCamelCase
      @Must(.atLeast(0)) var first_count = 0
    }
    var counts = Counts()
    let report = failure { () throws(VerificationError) in
      try verify(&counts) { $0.first_count = -1 }
    }
    #expect(report?.lines == ["first_count too-small"])
  }

  @Test func `paths lead through lists, dictionaries and optionals`() {
    var basket = Basket()
    let report = failure { () throws(VerificationError) in
      try verify(&basket) { draft in
        draft.gift?.name = ""
        draft.byName["b"]?.name = ""
        draft.orders[1].client.name = ""
      }
    }
    #expect(
      report?.lines == ["gift.name empty", "byName.b.name empty", "orders[1].client.name empty"])
  }

  @Test func `a value that was broken before fails the block`() {
    var order = Order(client: Client(name: ""))
    #expect(failed(&order) { $0.amount = 2 }?.lines == ["client.name empty"])
    #expect(order.amount == 1)
  }

  @Test func `a failure is reported even if its property was replaced since`() {
    var order = Order()
    let report = failed(&order) { draft in
      draft.client.name = ""
      draft.client = Client(name: "whole")
    }
    #expect(report?.lines == [" empty"])
  }

  @Test func `a failed assignment to another model fails the block, without a path`() {
    var (order, other) = (Order(), Client())
    let report = failed(&order) { draft in
      draft.amount = 2
      other.name = ""
    }
    #expect(report?.lines == [" empty"])
    #expect(order.amount == 1)
  }

  @Test func `a failure of a copied property is reported where it happened`() {
    var basket = Basket()
    let report = failure { () throws(VerificationError) in
      try verify(&basket) { draft in
        draft.orders[0].amount = -1
        draft.orders.append(draft.orders[0])
        draft.orders[2].amount = -1
      }
    }
    #expect(report?.lines == ["orders[0].amount too-small", "orders[2].amount too-small"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `failed assignments to each of many elements are reported in linear time`()
    throws
  {
    struct Levels {
      var levels: [Must<NotNegative>]
    }
    var levels = Levels(levels: Array(repeating: Must(wrappedValue: 1), count: 40_000))
    let report = failure { () throws(VerificationError) in
      try verify(&levels) { draft in
        for index in draft.levels.indices { draft.levels[index].wrappedValue = -1 }
      }
    }
    #expect(report?.issues.count == 40_000)
    #expect(report?.lines.last == "levels[39999] too-small")
  }

  @Test(.timeLimit(.minutes(1)))
  func `a long list of numbers is not searched for properties with rules`() throws {
    struct Attachment {
      @Must(.atLeast(0)) var number = 1
      var content: [UInt8]
    }
    var attachment = Attachment(content: Array(repeating: 7, count: 1 << 26))
    try verify(&attachment) { $0.number = 2 }
    #expect(attachment.number == 2)
  }

  @Test func `a flagged value is reported once`() {
    struct Level {
      @Must(.atMost(9), policy: .flag) var level = 1
    }
    var level = Level()
    let report = failure { () throws(VerificationError) in
      try verify(&level) { $0.level = 10 }
    }
    #expect(report?.lines == ["level too-big"])
    #expect(level.level == 1)
  }

  @Test func `model-wide rules are checked at the end of a block`() throws {
    struct Span: Verifiable {
      static let rules: Rule<Span> = .fields(\.from, "from", .less, \.to, "to")
      var from = 1
      var to = 2
    }
    var span = Span()
    let report = failure { () throws(VerificationError) in
      try verify(&span) { $0.from = 5 }
    }
    #expect(report?.lines == ["from not-less-than"])
    try verify(&span) { draft in
      draft.from = 5
      draft.to = 6
    }
    #expect(span.to == 6)
  }

  @Test func `the rules of declared properties form one rule`() {
    let rule = Rule<Basket>.declared
    var basket = Basket()
    #expect(rule.check(basket) == .valid)
    basket.orders[1] = Order(amount: -1)
    #expect(rule.check(basket).lines == ["orders[1].amount too-small"])
    #expect(!rule.isKept(by: basket))
  }

  @Test func `properties nested in a property with a rule are checked`() {
    struct Parcel {
      @Must(.pass) var client = Client()
      @Should(.pass) var other: Client? = Client()
    }
    var parcel = Parcel()
    let report = failure { () throws(VerificationError) in
      try verify(&parcel) { draft in
        draft.client = Client(name: "")
        draft.other = Client(name: "")
      }
    }
    #expect(report?.lines == ["client.name empty", "other.name empty"])
  }

  @Test func `issues in a dictionary are reported in the order of its keys`() {
    let keys = (0..<10).map { "key\($0)" }
    let clients = Dictionary(uniqueKeysWithValues: keys.map { ($0, Client(name: "")) })
    #expect(
      Rule<[String: Client]>.declared.check(clients).issues.map(\.path.description)
        == keys.map { "\($0).name" })
  }

  @Test func `a model does not grow with the number of blocks`() throws {
    var order = Order()
    for _ in 0..<3 { try verify(&order) { $0.name = "" } }
    let marks = Mirror(reflecting: order).descendant("_name", "marks") as? [Int]
    #expect(marks?.count == 1)
  }

  @Test func `a value behind a reference is not checked`() {
    final class Box {
      @Must(.atLeast(0)) var amount = -1
    }
    #expect(Rule<[Box]>.declared.check([Box()]) == .valid)
  }
}
