internal import Rules

/// The same ten fields, each with a rule.
struct RuledOrder: Decodable, Sendable {
  @Must<Positive> var number: Int
  @Must<Filled> var customer: String
  @Must<Mail> var mail: String
  @Must<Country> var country: String
  @Must<Share> var amount: Double
  @Must<Positive> var quantity: Int
  @Must<Share> var discount: Double
  @Must<Paid> var isPaid: Bool
  @Should<Short> var note: String?
  @Should<Short> var coupon: String?

  struct Positive: RuleProvider { static let rule: Rule<Int> = .atLeast(1) }
  struct Filled: RuleProvider { static let rule: Rule<String> = .notEmpty }
  struct Mail: RuleProvider { static let rule: Rule<String> = .length(max: 80) }
  struct Country: RuleProvider { static let rule: Rule<String> = .oneOf(["BE", "NL", "LU"]) }
  struct Share: RuleProvider { static let rule: Rule<Double> = .between(0, 1_000) }
  struct Paid: RuleProvider { static let rule: Rule<Bool> = .isTrue }
  struct Short: RuleProvider { static let rule: Rule<String> = .length(max: 80) }
}
