/// Ten fields without rules.
struct PlainOrder: Codable, Sendable {
  var number: Int
  var customer: String
  var mail: String
  var country: String
  var amount: Double
  var quantity: Int
  var discount: Double
  var isPaid: Bool
  var note: String?
  var coupon: String?
}
