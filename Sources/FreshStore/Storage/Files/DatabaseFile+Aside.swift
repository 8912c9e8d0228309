internal import Platform

/// Files beside the database: damaged ones that were moved aside, and the mark that says whether a
/// file ever held local writes.
///
/// The mark is a small file `-outbox`: when not one page of a damaged database can be read, it
/// alone tells a cache, which loses nothing, from a store whose local writes are lost.
extension DatabaseFile {
  static let writesMark = "-outbox"

  /// Leaves the mark; it outlives a power cut when this returns.
  func markWrites() throws(StoreError) {
    let mark = resolvedPath + Self.writesMark
    guard !PathName.exists(mark) else { return }
    let descriptor = unsafe Platform.open(mark, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      // Another process was quicker.
      if errno == EEXIST { return }
      throw NewFile.failure(errno, .write, path)
    }
    // A file of another time may lie under the same path some day: this names the writes that are held.
    let name = Array(String(UInt64.random(in: .min ... .max), radix: 36).utf8)
    _ = unsafe name.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    NewFile.syncFolder(of: mark)
  }

  /// What the writes are known by that a damaged file was marked to hold; its path where the mark does
  /// not say, `nil` without one: somebody has taken them over.
  package static func nameOfHeldWrites(_ aside: String) -> String? {
    let name = LockHolder.contents(of: aside + writesMark)
    if !name.isEmpty { return name }
    return PathName.exists(aside + writesMark) ? aside : nil
  }

  /// Leaves the mark beside a file that holds local writes and came without it: a copy that was put
  /// in the store's place.
  func markHeldWrites(_ connection: borrowing Connection) throws(StoreError) {
    guard !PathName.exists(resolvedPath + Self.writesMark) else { return }
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

  /// The damaged files whose local writes were not taken over yet, the oldest first.
  package var unsalvaged: [String] { movedAside.filter { PathName.exists($0 + Self.writesMark) } }

  /// The damaged files that were moved aside, the oldest first, whether or not those before them are
  /// still there.
  ///
  /// Cost: a look through the folder.
  package var movedAside: [String] {
    let path = resolvedPath
    let (folder, name) = PathName.split(path)
    let prefix = name + ".damaged-"
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var found: [(number: Int, path: String)] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.utf8.starts(with: prefix.utf8),
        let number = Int(Substring(name.utf8.dropFirst(prefix.utf8.count)))
      else { continue }
      found.append((number, folder + name))
    }
    return found.sorted { $0.number < $1.number }.map(\.path)
  }

  /// Takes the mark away from a damaged file: nothing of it is needed any more.
  func noteSalvaged(_ aside: String) {
    // One that stays is found again, and then the store says that this is done.
    _ = unsafe unlink(aside + Self.writesMark)
  }
}
