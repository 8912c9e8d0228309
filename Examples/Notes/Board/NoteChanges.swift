/// The list of all notes, or its changes since a cursor.
public struct NoteChanges: Codable, Sendable {
  /// One note on the list.
  public struct Entry: Codable, Sendable {
    /// The note.
    public let note: Note
    /// Its entity tag.
    public let tag: String
  }

  /// By the notes' names.
  public var notes: [String: Entry] = [:]
  /// The names of notes that were deleted.
  public var removed: [String] = []
  /// True when the list is whole.
  public var isFull: Bool
  /// The cursor for a later request for changes.
  public var cursor: String
}
