import FoundationEssentials
import Rules
import Testing

@Suite struct VerifyingDecodeTests {
  private struct Basket: Decodable {
    var orders: [Order]
    var byName: [String: Client]?
    var gift: Client?
  }

  private struct Renamed: Decodable {
    enum CodingKeys: String, CodingKey {
      case firstCount = "first-count"
      case client = "customer"
    }

    @Must<NotNegative> var firstCount: Int
    var client: Client
  }

  private func problems<Model: Decodable>(_ type: Model.Type, _ text: String) -> Report? {
    failure { () throws(VerificationError) in
      try JSONDecoder().decode(verify: type, from: json(text))
    }
  }

  @Test func `K-14: a value that breaks its rule is reported with its path`() throws {
    let report = try #require(problems(Order.self, #"{"amount":-2,"client":{"name":"a"}}"#))
    #expect(report.issues == [Issue("too-small", path: "amount", parameters: ["min": 0])])
  }

  @Test func `K-15: the problems of nested objects follow, in order`() throws {
    let report = try #require(problems(Order.self, #"{"amount":-2,"client":{"name":""}}"#))
    #expect(report.lines == ["amount too-small", "client.name empty"])
  }

  @Test func `K-16: a should value that breaks its rule is nil, and an error in strict mode`()
    throws
  {
    let document = json(#"{"amount":2,"name":"","client":{"name":"a"}}"#)
    let order = try JSONDecoder().decode(verify: Order.self, from: document)
    #expect(order.name == nil)
    #expect(order.$name.rejected?.value == "")
    let report = failure { () throws(VerificationError) in
      try JSONDecoder().decode(verifyStrict: Order.self, from: document)
    }
    #expect(report?.issues == [Issue("empty", path: "name", severity: .should)])
  }

  @Test func `a document without problems gives the model`() throws {
    let document = json(#"{"amount":2,"name":"n","client":{"name":"a"}}"#)
    let expected = Order(amount: 2, name: "n", client: Client(name: "a"))
    #expect(try JSONDecoder().decode(verify: Order.self, from: document) == expected)
    #expect(try JSONDecoder().decode(verifyStrict: Order.self, from: document) == expected)
  }

  @Test func `a decoded property keeps enforcing its rule`() throws {
    let document = json(#"{"amount":2,"client":{"name":"a"}}"#)
    var order = try JSONDecoder().decode(verify: Order.self, from: document)
    order.amount = -1
    #expect(order.amount == 2)
  }

  @Test(arguments: [
    #"{"amount":1,"client":{"name":"a"}}"#,
    #"{"amount":1,"name":null,"client":{"name":"a"}}"#,
  ])
  func `K-R09: should with the key missing or null is nil, without an issue`(
    text: String
  ) throws {
    #expect(try JSONDecoder().decode(verifyStrict: Order.self, from: json(text)).name == nil)
  }

  @Test(arguments: [
    (#"{"client":{"name":"a"}}"#, [String: Parameter]()),
    (#"{"amount":null,"client":{"name":"a"}}"#, ["found": "null"]),
  ])
  func `K-R09: must with the key missing or null is required`(
    text: String, parameters: [String: Parameter]
  ) throws {
    var report = try #require(problems(Order.self, text))
    report.issues[0].parameters["detail"] = nil
    #expect(report.issues == [Issue("required", path: "amount", parameters: parameters)])
  }

  @Test(.timeLimit(.minutes(1)))
  func `problems in each of many elements are reported in linear time`()
    throws
  {
    let items = Array(repeating: #"{"name":""}"#, count: 40_000).joined(separator: ",")
    #expect(try #require(problems([Client].self, "[\(items)]")).issues.count == 40_000)
  }

  @Test func `K-R10: nothing stays in the decoder`() throws {
    let decoder = JSONDecoder()
    let document = json(#"{"name":""}"#)
    #expect(throws: VerificationError.self) {
      try decoder.decode(verify: Client.self, from: document)
    }
    #expect(decoder.userInfo.isEmpty)
    #expect(throws: DecodingError.self) { try decoder.decode(Client.self, from: document) }
    let plain = try decoder.decode([String: String].self, from: document)
    #expect(plain == ["name": ""])
  }

  @Test func `K-R10: a plain decode gives a value that keeps its rule or throws`() throws {
    let good = try JSONDecoder().decode(Client.self, from: json(#"{"name":"a"}"#))
    #expect(good.name == "a")
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Client].self, from: json(#"[{"name":""}]"#))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["Index 0", "name"])
    #expect((context.underlyingError as? VerificationError)?.report.lines == ["[0].name empty"])
  }

  @Test func `K-R11: the path of a renamed property is its key`() throws {
    let report = try #require(
      problems(Renamed.self, #"{"first-count":-1,"customer":{"name":""}}"#))
    #expect(report.lines == ["first-count too-small", "customer.name empty"])
  }

  @Test func `K-R11: a key strategy changes the document's keys, not the paths`() throws {
    struct Counts: Decodable {
      @Must<NotNegative> var firstCount: Int
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let report = failure { () throws(VerificationError) in
      try decoder.decode(verify: Counts.self, from: json(#"{"first_count":-1}"#))
    }
    #expect(report?.lines == ["firstCount too-small"])
  }

  @Test func `K-R12: paths lead through lists and dictionaries`() throws {
    let orders = #"[{"amount":1,"client":{"name":"a"}},{"amount":-1,"client":{"name":""}}]"#
    let text = #"{"orders":\#(orders),"byName":{"x":{"name":""}}}"#
    #expect(
      try #require(problems(Basket.self, text)).lines
        == ["orders[1].amount too-small", "orders[1].client.name empty", "byName.x.name empty"])
  }

  @Test func `K-R12: an empty list decodes`() throws {
    let basket = try JSONDecoder().decode(verify: Basket.self, from: json(#"{"orders":[]}"#))
    #expect(basket.orders.isEmpty)
  }

  @Test func `K-R13: an optional nested object is checked where it is present`() throws {
    #expect(
      try #require(problems(Basket.self, #"{"orders":[],"gift":{"name":""}}"#)).lines
        == ["gift.name empty"])
    let without = try JSONDecoder().decode(verify: Basket.self, from: json(#"{"orders":[]}"#))
    #expect(without.gift == nil)
  }

  @Test func `K-R14: decoding errors and broken rules are reported together`() throws {
    let text = #"{"amount":"many","name":5,"client":{"name":""}}"#
    #expect(
      try #require(problems(Order.self, text)).lines
        == ["amount wrong-type", "name wrong-type", "client.name empty"])
  }

  @Test func `all problems of a document are reported at once, with the document's own names`()
    throws
  {
    struct Purchase: Decodable {
      enum CodingKeys: String, CodingKey {
        case amount, note
        case clients = "customers"
      }

      @Must<NotNegative> var amount: Int
      @Should<Filled> var note: String?
      var clients: [Client]
    }
    let text = #"{"amount":"many","note":"","customers":[{"name":"Ada"},{"name":""}]}"#
    let report = try #require(problems(Purchase.self, text))
    #expect(report.lines == ["amount wrong-type", "note empty", "customers[1].name empty"])
    #expect(report.issues.map(\.severity) == [.must, .should, .must])
    #expect(report.issues[0].message == "must be Int, not another kind of value")
  }

  @Test func `K-R14: an error at a property without a rule comes last and ends decoding`() throws {
    struct Line: Decodable {
      @Must<NotNegative> var count: Int
      var price: Int
      @Must<Filled> var name: String
    }
    let text = #"{"count":-1,"price":"x","name":""}"#
    #expect(
      try #require(problems(Line.self, text)).lines == ["count too-small", "price wrong-type"])
  }

  @Test func `K-R15: an underscore in a property's name stays in the path`() throws {
    struct Counts: Decodable {
      // swift-format-ignore: AlwaysUseLowerCamelCase
      @Must<NotNegative> var first_count: Int
    }
    #expect(
      try #require(problems(Counts.self, #"{"first_count":-1}"#)).lines
        == ["first_count too-small"])
  }

  @Test func `K-R23: property lists behave like JSON`() throws {
    let data = try PropertyListEncoder().encode(["amount": -1])
    let report = failure { () throws(VerificationError) in
      try PropertyListDecoder().decode(verify: Order.self, from: data)
    }
    #expect(report?.lines == ["amount too-small", "client required"])
    let good = try PropertyListEncoder().encode(Order(name: nil))
    #expect(try PropertyListDecoder().decode(verifyStrict: Order.self, from: good).name == nil)
  }

  @Test func `only the strict decoder refuses a broken should in a property list`() throws {
    struct Named: Decodable, Sendable {
      @Should<Filled> var name: String?
    }
    let data = try PropertyListEncoder().encode(["name": ""])
    let strict = failure { () throws(VerificationError) in
      try PropertyListDecoder().decode(verifyStrict: Named.self, from: data)
    }
    #expect(strict?.lines == ["name empty"])
    #expect(try PropertyListDecoder().decode(verify: Named.self, from: data).name == nil)
  }

  @Test func `text that is not JSON is an issue of the whole document`() throws {
    #expect(try #require(problems(Order.self, "{")).lines == [" unreadable"])
  }

  @Test func `the model's own decoding error is an issue`() throws {
    struct Refusal: Error {}
    struct Refusing: Decodable {
      init(from decoder: any Decoder) throws { throw Refusal() }
    }
    let report = try #require(problems(Refusing.self, "{}"))
    #expect(report.lines == [" unreadable"])
    #expect(report.issues[0].parameters["detail"] == "Refusal()")
  }

  @Test func `concurrent verification with one decoder does not mix the documents`() async {
    let decoder = JSONDecoder()
    await withTaskGroup(of: [String].self) { group in
      for number in 0..<200 {
        group.addTask {
          let text = number.isMultiple(of: 2) ? #"[{"name":""}]"# : #"[{"name":"a"},{"name":""}]"#
          let report = failure { () throws(VerificationError) in
            try decoder.decode(verify: [Client].self, from: json(text))
          }
          let expected = number.isMultiple(of: 2) ? ["[0].name empty"] : ["[1].name empty"]
          return report?.lines == expected ? [] : report?.lines ?? ["none"]
        }
      }
      for await wrong in group { #expect(wrong.isEmpty) }
    }
  }

  @Test func `model-wide rules are applied after the properties' own`() throws {
    struct Span: Decodable, Verifiable {
      static let rules: Rule<Span> = .fields(\.from, "from", .less, \.to, "to")
      @Must<NotNegative> var from: Int
      @Must<NotNegative> var to: Int
    }
    #expect(
      try #require(problems(Span.self, #"{"from":3,"to":-2}"#)).lines
        == ["to too-small", "from not-less-than"])
    #expect(
      try #require(problems(Span.self, #"{"from":3,"to":2}"#)).lines == ["from not-less-than"])
    // No issue is reported about a missing value.
    #expect(try #require(problems(Span.self, #"{"from":3}"#)).lines == ["to required"])
  }

  @Test func `a hand-written decoder enforces a rule given as an argument`() throws {
    struct Written: Decodable {
      enum CodingKeys: String, CodingKey { case amount, name }

      @Must(.atLeast(0)) var amount = 1
      @Should(.notEmpty) var name: String?

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try _amount.decode(from: container, forKey: .amount)
        try _name.decode(from: container, forKey: .name)
      }
    }
    #expect(
      try #require(problems(Written.self, #"{"amount":-1,"name":""}"#)).lines
        == ["amount too-small", "name empty"])
    var good = try JSONDecoder().decode(verify: Written.self, from: json(#"{"amount":3}"#))
    good.amount = -3
    #expect(good.amount == 3)
  }

  @Test func `a property with a rule may itself be an element`() throws {
    let text = #"[1, -1, "x"]"#
    #expect(
      try #require(problems([Must<NotNegative>].self, text)).lines
        == ["[1] too-small", "[2] wrong-type"])
    let names = try JSONDecoder().decode(
      verify: [Should<Filled>].self, from: json(#"["a", null, ""]"#))
    #expect(names.map(\.wrappedValue) == ["a", nil, nil])
  }

  @Test func `broken advice is an error only in strict mode`() throws {
    struct Brief: RuleProvider {
      static let rule: Rule<String> = Rule.length(max: 2).advised
    }
    struct Note: Decodable {
      @Must<Brief> var text: String
    }
    let document = json(#"{"text":"long"}"#)
    #expect(try JSONDecoder().decode(verify: Note.self, from: document).text == "long")
    #expect(try JSONDecoder().decode(Note.self, from: document).text == "long")
    #expect(throws: VerificationError.self) {
      try JSONDecoder().decode(verifyStrict: Note.self, from: document)
    }
  }

  @Test func `K-22: a model with a must and a should encodes to JSON`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(Order(name: nil)), as: UTF8.self)
    #expect(text == #"{"amount":1,"client":{"name":"Ada"},"name":null}"#)
    let again = try JSONDecoder().decode(verify: Order.self, from: Data(text.utf8))
    #expect(again == Order(name: nil))
  }
}
