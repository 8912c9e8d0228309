import Rules

/// The model of the facts: an amount, a name that should be there, and a client within.
struct Order: Codable, Equatable, Sendable {
  @Must<NotNegative> var amount = 1
  @Should<Filled> var name: String? = "first"
  var client = Client()
}
