/// Stands in memory for the value of an object that does not exist, and in slots that are free.
final class NoValue: Sendable {
  static let shared = NoValue()
}
