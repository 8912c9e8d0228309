package import Strategies

/// The place of a host in the order of its fleet's marks, as its file has it.
package struct FleetPlace: Sendable, Hashable {
  /// The newest mark that is applied.
  package let position: SharedPosition
  /// The last answer of the fleet that was noted: one that brought marks, or any, a minute after the one before.
  package let lastWord: Timestamp
}
