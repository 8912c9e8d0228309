/// A note, as client and server tell each other of it.
public struct Note: Codable, Sendable, Hashable {
  /// What it says.
  public var text: String

  /// Creates a note.
  public init(text: String) {
    self.text = text
  }
}
