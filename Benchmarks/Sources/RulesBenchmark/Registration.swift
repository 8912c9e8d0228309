/// An object of ten fields, as programs have them.
struct Registration: Sendable {
  var name: String
  var nickname: String
  var country: String
  var language: String
  var age: Int
  var seats: Int
  var discount: Double
  var score: Double
  var tags: [String]
  var isAgreed: Bool

  /// One that keeps all rules.
  static let valid = Registration(
    name: "Grace Hopper", nickname: "Amazing Grace", country: "BE", language: "nl", age: 37,
    seats: 2, discount: 0.15, score: 7.5, tags: ["navy", "compilers"], isAgreed: true)

  /// One that breaks three.
  static let broken = Registration(
    name: "", nickname: "Amazing Grace", country: "BE", language: "nl", age: 12, seats: 2,
    discount: 0.15, score: 7.5, tags: ["navy", "compilers"], isAgreed: false)
}
