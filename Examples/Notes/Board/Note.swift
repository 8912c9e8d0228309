/// A note, as client and server exchange it.
public struct Note: Codable, Sendable, Hashable {
  /// The text of the note.
  public var text: String

  /// Creates a note.
  public init(text: String) {
    self.text = text
  }
}
