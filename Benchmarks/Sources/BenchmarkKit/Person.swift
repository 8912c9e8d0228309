/// The contents of the records: some 256 bytes as JSON.
public struct Person: Codable, Sendable {
  /// The number in the key.
  public var id: Int
  var name: String
  var email: String
  var city: String
  var isActive: Bool
  var score: Double
  var tags: [String]

  /// Makes up a person.
  public init(_ number: Int) {
    id = number
    name = "Person number \(number) of this store"
    email = "person.\(number)@example.org"
    city = "Sint-Katelijne-Waver"
    isActive = number % 2 == 0
    score = Double(number % 100) / 8
    tags = ["reader", "subscriber since 2019", "member of the board", "speaks at meetings"]
  }
}
