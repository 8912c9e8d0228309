import Rules
import Testing

@Suite struct MoneyTests {
  /// A number of this length that begins so and has the right check digit.
  static func number(_ prefix: String, _ count: Int) -> String {
    let body = prefix.padding(to: count - 1)
    for digit in 0...9 where Rule.luhn().isKept(by: body + "\(digit)") { return body + "\(digit)" }
    return body
  }

  private static let samples: [(CardType, String, Int)] = [
    (.americanExpress, "34", 15), (.americanExpress, "37", 15), (.mastercard, "51", 16),
    (.mastercard, "55", 16), (.mastercard, "2221", 16), (.mastercard, "272099", 16),
    (.visa, "4", 13), (.visa, "4", 16), (.visa, "4", 19), (.maestro, "5018", 12),
    (.maestro, "6304", 16), (.maestro, "6390", 16), (.maestro, "6759", 19), (.maestro, "58", 13),
    (.dinersClub, "300", 14), (.dinersClub, "36", 14), (.dinersClub, "3095", 16),
    (.dinersClub, "38", 19), (.jcb, "3528", 16), (.jcb, "3589", 19), (.jcb, "1800", 15),
    (.jcb, "2131", 15), (.discover, "6011", 16), (.discover, "65", 19), (.discover, "644", 16),
    (.unionPay, "62", 16), (.unionPay, "62", 19), (.unionPay, "81", 17),
  ]

  @Test(arguments: samples)
  func `S-45 S-46 S-47: a number of each type is recognised and accepted`(
    type: CardType, prefix: String, count: Int
  ) {
    let number = Self.number(prefix, count)
    #expect(CardType(number: number) == type)
    #expect(Rule.paymentCard().isKept(by: number))
    #expect(Rule.paymentCard([type]).isKept(by: number))
  }

  @Test(arguments: samples)
  func `S-48: a number of another type is refused`(type: CardType, prefix: String, count: Int) {
    let others = Set(CardType.allCases).subtracting([type])
    #expect(!Rule.paymentCard(others).isKept(by: Self.number(prefix, count)))
  }

  @Test(arguments: [
    ("4", 12), ("4", 14), ("4", 15), ("4", 17), ("4", 20), ("34", 14), ("34", 16), ("51", 15),
    ("51", 17), ("5018", 11), ("5018", 20), ("36", 13), ("36", 20), ("3528", 15), ("1800", 16),
    ("6011", 15), ("62", 15), ("62", 20), ("2220", 16), ("272100", 16), ("9", 16), ("1", 16),
  ])
  func `a length or prefix that no type has is refused, whatever the check digit`(
    prefix: String, count: Int
  ) {
    let number = Self.number(prefix, count)
    #expect(Rule.luhn().isKept(by: number))
    #expect(!Rule.paymentCard().isKept(by: number))
  }

  @Test(arguments: [
    ("378282246310005", CardType.americanExpress), ("5555555555554444", .mastercard),
    ("5500000000000004", .mastercard), ("4222222222222", .visa), ("4012888888881881", .visa),
    ("30569309025904", .dinersClub), ("6011111111111117", .discover), ("3530111333300000", .jcb),
    ("6759649826438453", .maestro), ("6200000000000005", .unionPay),
  ])
  func `test numbers published by issuers are accepted`(number: String, type: CardType) {
    #expect(Rule.paymentCard([type]).isKept(by: number))
  }

  @Test func `S-44: text that is not a number has no type`() {
    #expect(CardType(number: "XXX") == nil)
    #expect(CardType(number: "") == nil)
    #expect(CardType(number: "999") == nil)
  }

  @Test func `S-46: eleven digits with a type and a check digit are not a valid payment card`() {
    #expect(Rule.paymentCard().isKept(by: "4716347184862961"))
    #expect(Rule.luhn().isKept(by: "49927398716"))
    #expect(CardType(number: "49927398716") == .visa)
    #expect(!Rule.paymentCard().isKept(by: "49927398716"))
  }

  @Test(arguments: [
    ("4111111111111111", true, true), ("4111111111111112", false, false),
    ("4111 1111 1111 1111", false, true), ("4111-1111-1111-1111", false, true),
    ("4111  1111 1111 1111", false, false), (" 4111111111111111", false, false),
    ("4111111111111111 ", false, false), ("", false, false), ("٤١١١١١١١١١١١١١١١", false, false),
    ("4111111111111111\n", false, false),
  ])
  func `separators are accepted on request`(text: String, isKept: Bool, separated: Bool) {
    #expect(Rule.paymentCard().isKept(by: text) == isKept)
    #expect(Rule.paymentCard(separators: true).isKept(by: text) == separated)
    #expect(Rule.luhn(separators: true).isKept(by: text) == separated)
  }

  @Test(arguments: ["0", "a", "", "79927398710", "79927398719"])
  func `a wrong check digit is detected`(text: String) {
    #expect(!Rule.luhn().isKept(by: text))
  }

  @Test(arguments: [
    ("GB82WEST12345698765432", true), ("DE89370400440532013000", true), ("NO9386011117947", true),
    ("FR1420041010050500013M02606", true), ("BE68539007547034", true), ("NL91ABNA0417164300", true),
    ("MT84MALT011000012345MTLCAST001S", true), ("CH9300762011623852957", true),
    ("AT611904300234573201", true), ("GB82WEST12345698765433", false),
    ("GB28WEST12345698765432", false), ("gb82west12345698765432", false),
    ("GB82WEST1234569876543", false), ("XX82WEST12345698765432", false), ("", false),
    ("GB82 WEST 1234 5698 7654 32", false), ("GBXXWEST12345698765432", false), ("GB", false),
    ("DE68539007547034", false),
    ("GB88WEST1234569876543", false), ("NO698601111794", false), ("XX57WEST12345698765432", false),
    ("GB82WEST12345698765432\n", false),
  ])
  func `IBANs`(text: String, isKept: Bool) {
    #expect(Rule.iban().isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("GB82 WEST 1234 5698 7654 32", true), ("GB82WEST12345698765432", true),
    ("GB82  WEST12345698765432", false), ("GB82WEST12345698765432 ", false),
    (" GB82WEST12345698765432", false),
  ])
  func `IBANs in printed form`(text: String, isKept: Bool) {
    #expect(Rule.iban(spaces: true).isKept(by: text) == isKept)
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String {
    self + String(repeating: "0", count: Swift.max(0, count - self.count))
  }
}
