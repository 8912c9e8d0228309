/// What has happened to the file of a store while it was open, or as it was opened: what it held is gone from it.
package enum FileChange: Sendable, Hashable {
  /// It was damaged, and is kept under this path; a new one was begun.
  case movedAside(String)
  /// It was deleted or replaced by somebody else; the one that has its name now is used.
  case replaced
}
