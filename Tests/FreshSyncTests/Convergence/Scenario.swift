import Testing

/// The setting of a run of the world, beside its seed.
struct Scenario: Sendable, CustomTestStringConvertible {
  /// The fate of every write of the first key.
  enum Trouble {
    /// The write ends like the writes of other keys.
    case none
    /// It fails, as with a status 409 although nothing has changed.
    case failure
    /// It meets another change.
    case conflict
  }

  let testDescription: String
  var policies = DevicePolicy.allCases
  /// One device or two, as the seed decides, when false.
  var hasTwoDevices = false
  var keys = 3
  /// Whether a write may replace one that waits, as the seed decides when `nil`.
  var coalesces: Bool?
  /// A merge waits until the schedule goes on with it: meanwhile anything happens.
  var mergesSlowly = false
  /// False for a server that applies a write once more when it comes once more.
  var knowsIdempotencyKeys = true
  /// No device removes words: in the end each word that was ever written is there once.
  var onlyAdds = false
  var trouble = Trouble.none

  /// The key whose writes the server never accepts.
  var stuckKey: String? { trouble == .none ? nil : "k0" }

  /// The failed attempts, or conflicts in a row, after which a write is parked.
  var maximumAttempts: Int? { trouble == .none ? nil : 3 }

  static let anything = Scenario(testDescription: "anything")

  static let all = [
    anything,
    Scenario(
      testDescription: "slow merges, each write for itself", policies: [.merge],
      hasTwoDevices: true, keys: 1, coalesces: false, mergesSlowly: true, onlyAdds: true),
    Scenario(
      testDescription: "slow merges, coalescing writes", policies: [.merge], hasTwoDevices: true,
      keys: 1, coalesces: true, mergesSlowly: true, onlyAdds: true),
    Scenario(
      testDescription: "slow merges, anything else", policies: [.merge], hasTwoDevices: true,
      mergesSlowly: true),
    Scenario(
      testDescription: "no idempotency keys", hasTwoDevices: true, knowsIdempotencyKeys: false),
    Scenario(
      testDescription: "no idempotency keys, additions", policies: [.merge], hasTwoDevices: true,
      knowsIdempotencyKeys: false, onlyAdds: true),
    Scenario(
      testDescription: "no idempotency keys, additions, slow merges", policies: [.merge],
      hasTwoDevices: true, mergesSlowly: true, knowsIdempotencyKeys: false, onlyAdds: true),
    Scenario(testDescription: "a key that always fails", trouble: .failure),
    Scenario(
      testDescription: "a key that always conflicts", policies: [.clientWins, .merge],
      hasTwoDevices: true, trouble: .conflict),
  ]
}
