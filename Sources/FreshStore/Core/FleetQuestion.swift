/// What the news depend on that an answer of the fleet brings: when it was asked, and from which place.
struct FleetQuestion: Sendable {
  /// The host's place in the order of marks; `nil` before the first news.
  let position: SharedPosition?
  /// How often the tier had gone out of reach by then.
  let outages: Int
  /// How often the host had heard of marks that were not applied then.
  let falls: Int
}
