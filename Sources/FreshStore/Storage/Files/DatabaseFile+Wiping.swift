internal import Platform

/// What the files beside the database hold of the data in it.
extension DatabaseFile {
  /// The names of what would still be recovered from damaged files.
  var namesOfHeld: Set<String> {
    Set(
      unsalvaged.compactMap(Self.nameOfHeldWrites)
        + unsalvagedValues.compactMap(Self.nameOfHeldValues))
  }

  /// Removes the marks of damaged files of which the store no longer recovers anything.
  func forgetHeld() {
    for aside in unsalvaged { noteSalvaged(aside, Self.writesMark) }
    for aside in unsalvagedValues { noteSalvaged(aside, Self.valuesMark) }
  }

  /// Deletes the damaged files that were moved aside, each with its log and its other files; returns
  /// the deleted ones, in order. A file that cannot be deleted, or that only has a similar name, stays.
  func removeMovedAside() -> [String] {
    var removed: [String] = []
    // The log first, the database last: its place shows whether the rest is gone.
    for part in Self.movedParts {
      for (path, ending) in besideDamaged
      where Self.isPart(ending, part) && Self.isRegular(path) {
        if unsafe unlink(path) == 0 { removed.append(path) }
      }
    }
    if let first = removed.first { NewFile.syncFolder(of: first) }
    return removed.sorted()
  }

  /// True for a number and the ending of a part, and for those of a part whose name was taken
  /// (``free(_:)``).
  private static func isPart(_ ending: Substring, _ part: String) -> Bool {
    let digits = ending.utf8.prefix(while: isDigit)
    let rest = ending.utf8.dropFirst(digits.count)
    guard !digits.isEmpty, rest.starts(with: part.utf8) else { return false }
    let further = rest.dropFirst(part.utf8.count)
    guard let point = further.first else { return true }
    return point == UInt8(ascii: ".") && further.count > 1
      && further.dropFirst().allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Empties the notes in lock files that nobody holds: a killed process leaves its own behind.
  func clearLockNotes(at now: ClockReading) {
    for suffix in ["-sweep", "-sync"] where PathName.exists(CompanionFile.path(path, suffix)) {
      do throws(FileLock.Failure) {
        try FileLock(database: path, suffix: suffix, since: now.wall).release()
      } catch {
        // Its holder replaces or empties the note itself.
      }
    }
  }
}
