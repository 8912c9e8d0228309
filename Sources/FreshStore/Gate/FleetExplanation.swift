/// The action of a get on a host of a fleet, and its grounds.
package struct FleetExplanation: Sendable {
  /// What the host would do by itself, once it has taken in the marks of the fleet.
  package let explanation: Explanation
  /// The host whose record a get would take from the fleet, in place of a fetch; `nil` where it would not.
  package let owner: String?
}
