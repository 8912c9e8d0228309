internal import Platform

/// Files beside the database: damaged ones that were moved aside, and the mark that shows whether a
/// file ever held local writes.
///
/// The mark is a small file `-outbox`: when no page of a damaged database can be read, it alone
/// distinguishes a cache, which loses nothing, from a store whose local writes are lost.
extension DatabaseFile {
  static let writesMark = "-outbox"

  /// Creates the mark; it survives a power cut once this returns.
  func markWrites() throws(StoreError) {
    let mark = resolvedPath + Self.writesMark
    guard !PathName.exists(mark) else { return }
    let descriptor = unsafe Platform.open(mark, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      // Another process was faster.
      if errno == EEXIST { return }
      throw NewFile.failure(errno, .write, path)
    }
    // Another file may later lie under the same path: this name identifies the writes.
    let name = Array(String(UInt64.random(in: .min ... .max), radix: 36).utf8)
    _ = unsafe name.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    NewFile.syncFolder(of: mark)
  }

  /// The name of the writes that a damaged file was marked to hold; its path where the mark has no
  /// name, `nil` without a mark: the writes were recovered already.
  package static func nameOfHeldWrites(_ aside: String) -> String? {
    let name = LockHolder.contents(of: aside + writesMark)
    if !name.isEmpty { return name }
    return PathName.exists(aside + writesMark) ? aside : nil
  }

  /// Creates the mark beside a file that holds local writes but has no mark: a copy that replaced
  /// the store.
  func markHeldWrites(_ connection: borrowing Connection) throws(StoreError) {
    guard !PathName.exists(resolvedPath + Self.writesMark) else { return }
    let holdsWrites: Bool
    do throws(SQLiteError) {
      holdsWrites =
        try connection.integer(
          "SELECT EXISTS (SELECT 1 FROM outbox UNION ALL SELECT 1 FROM fleet_mark)") != 0
    } catch {
      throw StoreError(error, .open, path: path)
    }
    guard holdsWrites else { return }
    do throws(StoreError) {
      try markWrites()
    } catch {
      // A full disk must not block reads; the next write needs the mark.
      guard error.code == .full else { throw error }
    }
  }

  /// The damaged files whose local writes were not recovered yet, the oldest first.
  package var unsalvaged: [String] { movedAside.filter { PathName.exists($0 + Self.writesMark) } }

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

  /// The files whose names begin as those of files that were moved aside, and what follows there.
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

  /// Removes the mark of a damaged file: the file is no longer needed.
  func noteSalvaged(_ aside: String) {
    // If the mark stays, it is found again, and the store knows that its writes were recovered.
    _ = unsafe unlink(aside + Self.writesMark)
  }
}
