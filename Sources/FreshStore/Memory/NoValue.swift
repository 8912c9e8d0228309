/// Represents in memory the value of an object that does not exist, and fills free slots.
final class NoValue: Sendable {
  static let shared = NoValue()
}
