#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Files beside the database: damaged ones that were moved aside, and the mark that says whether a
/// file ever held local writes.
///
/// The mark is an empty file `-outbox`: when not one page of a damaged database can be read, it
/// alone tells a cache, which loses nothing, from a store whose local writes are lost.
extension DatabaseFile {
  static let writesMark = "-outbox"

  /// Leaves the mark; it outlives a power cut when this returns.
  func markWrites() throws(StoreError) {
    let mark = resolvedPath + Self.writesMark
    guard !Self.exists(mark) else { return }
    let descriptor = Self.openFile(mark, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      // Another process was quicker.
      if errno == EEXIST { return }
      throw NewFile.failure(errno, .write, path)
    }
    close(descriptor)
    try withFolder { folder in _ = fsync(folder) }
  }

  /// Leaves the mark beside a file that holds local writes and came without it: a copy that was put
  /// in the store's place.
  func markHeldWrites(_ connection: borrowing Connection) throws(StoreError) {
    guard !Self.exists(resolvedPath + Self.writesMark) else { return }
    let holdsWrites: Bool
    do throws(SQLiteError) {
      holdsWrites = try connection.integer("SELECT EXISTS (SELECT 1 FROM outbox)") != 0
    } catch {
      throw StoreError(error, .open, path: path)
    }
    guard holdsWrites else { return }
    do throws(StoreError) {
      try markWrites()
    } catch {
      // A full disk keeps nobody from reading; the next write needs the mark.
      guard error.code == .full else { throw error }
    }
  }

  /// The damaged files whose local writes were not taken over yet.
  var unsalvaged: [String] {
    let path = resolvedPath
    var (found, number): ([String], Int) = ([], 1)
    while Self.exists("\(path).damaged-\(number)") {
      let aside = "\(path).damaged-\(number)"
      if Self.exists(aside + Self.writesMark) { found.append(aside) }
      number += 1
    }
    return found
  }

  /// The damaged files that were moved aside, whatever their numbers, in order of name.
  var movedAside: [String] {
    let path = resolvedPath
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    let prefix = path.dropFirst(folder == "./" ? 0 : folder.count) + ".damaged-"
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var found: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasPrefix(prefix), Int(name.dropFirst(prefix.count)) != nil else { continue }
      found.append(folder + name)
    }
    return found.sorted()
  }

  /// Takes the mark away from a damaged file: nothing of it is needed any more.
  func noteSalvaged(_ aside: String) {
    // One that stays is found again, and then the store says that this is done.
    _ = unsafe unlink(aside + Self.writesMark)
  }
}
