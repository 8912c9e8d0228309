internal import Platform

/// Files beside the database: damaged files that were moved aside, and the marks that show what a file held, or
/// still holds.
///
/// The mark of local writes is a small file `-outbox`. When no page of a damaged database can be read, only the
/// mark tells whether local writes are lost with it. A cache loses nothing.
///
/// The mark `-values` is made beside a file as it is moved aside: its puts were not taken over yet.
extension DatabaseFile {
  static let writesMark = "-outbox"
  static let valuesMark = "-values"
  /// The beginning of the name in the mark of values, where the file had no mark of writes.
  static let unmarked = "unmarked-"

  /// The name of the writes that a damaged file was marked to hold, or its path where the mark has no name. `nil`
  /// without a mark: the writes were recovered already.
  package static func nameOfHeldWrites(_ aside: String) -> String? { name(aside, writesMark) }

  /// The same of the values of a file that was moved aside.
  static func nameOfHeldValues(_ aside: String) -> String? { name(aside, valuesMark) }

  private static func name(_ aside: String, _ mark: String) -> String? {
    if let name = NameMark(path: aside + mark).contents?.name { return name }
    return PathName.exists(aside + mark) ? aside : nil
  }

  /// The damaged files whose local writes were not recovered yet, the oldest first.
  package var unsalvaged: [String] { movedAside.filter { PathName.exists($0 + Self.writesMark) } }

  /// True for a file that was moved aside, whose store has taken over its local writes, or found none.
  package static func isSalvagedAside(_ path: String) -> Bool {
    let ending = path.split(separator: ".").last ?? ""
    return ending.hasPrefix("damaged-") && Int(ending.dropFirst(8)) != nil
      && !PathName.exists(path + writesMark) && !PathName.exists(path + valuesMark)
  }

  /// The damaged files whose puts were not taken over yet.
  package var unsalvagedValues: [String] {
    movedAside.filter { PathName.exists($0 + Self.valuesMark) }
  }

  /// True when nothing waits in damaged files. Cost: one listing of the folder.
  var isSalvaged: Bool {
    movedAside.allSatisfy { aside in
      [Self.writesMark, Self.valuesMark].allSatisfy { !PathName.exists(aside + $0) }
    }
  }

  /// The damaged files that were moved aside, the oldest first, whether or not earlier ones still
  /// exist.
  ///
  /// Cost: one listing of the folder.
  package var movedAside: [String] {
    var found: [(number: Int, path: String)] = []
    for (path, ending) in besideDamaged {
      if let number = Int(ending) { found.append((number, path)) }
    }
    return found.sorted { $0.number < $1.number }.map(\.path)
  }

  /// The files whose names begin like a file that was moved aside, and the rest of each name.
  var besideDamaged: [(path: String, ending: Substring)] {
    let (folder, name) = PathName.split(resolvedPath)
    let prefix = name + ".damaged-"
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var found: [(path: String, ending: Substring)] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.utf8.starts(with: prefix.utf8) else { continue }
      found.append((folder + name, Substring(name.utf8.dropFirst(prefix.utf8.count))))
    }
    return found
  }

  /// Removes a mark of a damaged file whose content was taken over.
  func noteSalvaged(_ aside: String, _ mark: String) {
    // If the mark stays, it is found again, and the store knows that it is settled.
    _ = unsafe unlink(aside + mark)
  }
}

/// Removes the data in the files beside the database.
extension DatabaseFile {
  /// The names of the content that would still be recovered from damaged files.
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

  /// True for a number and the ending of a part, also with a further number (``free(_:)``).
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

  /// Empties the notes in lock files that no process holds: a killed process leaves its own behind.
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
