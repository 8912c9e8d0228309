internal import Platform

/// A small file beside a database that names something in it, for good: another file may later lie under the
/// same path.
///
/// The mark of local writes bears the number of the last one that waits, too.
struct NameMark {
  let path: String

  /// The name, and the number, 0 where there is none; `nil` without a name.
  var contents: (name: String, number: Int64)? {
    let words = LockHolder.contents(of: path).split(separator: " ")
    guard let name = words.first else { return nil }
    return (String(name), words.count > 1 ? Int64(words[1]) ?? 0 : 0)
  }

  /// Creates the mark with a new name, unless it is there, and returns its name; it survives a power cut once this
  /// returns. It gets the owner and the mode of the database. `nil` where something else has its place.
  func make(beside database: String) throws(StoreError) -> String? {
    if let name = contents?.name { return name }
    var status = stat()
    guard unsafe lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else { return nil }
    let opened = CompanionFile.open(path, of: database)
    guard opened >= 0 else { throw NewFile.failure(errno, .write, database) }
    defer { close(opened) }
    _ = Self.lock(opened)
    defer { flock(opened, LOCK_UN) }
    // Another process may have been faster.
    if let name = contents?.name { return name }
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    guard write(name, 0, to: opened) else { throw NewFile.failure(errno, .write, database) }
    _ = fsync(opened)
    NewFile.syncFolder(of: path)
    return name
  }

  /// Notes the number that `read` gives, while no other process does so: the last one to note it has read the
  /// newest. Nothing waits for the disk, and a mark that is not there is not made.
  func note(_ read: () throws(SQLiteError) -> Int64) {
    guard let known = contents else { return }
    let opened = unsafe Platform.open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else { return }
    defer { close(opened) }
    // Without it the number stays as it is, and a later change notes it.
    guard Self.lock(opened) else { return }
    defer { flock(opened, LOCK_UN) }
    do throws(SQLiteError) {
      let number = try read()
      if number != contents?.number { _ = write(known.name, number, to: opened) }
    } catch {
      // The number stays too low, and shows less.
    }
  }

  /// Takes the lock, which any program can hold for ever, while a store holds it for a look at its outbox.
  private static func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<50 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      usleep(1000)
    }
    return false
  }

  private func write(_ name: String, _ number: Int64, to descriptor: Int32) -> Bool {
    let digits = "\(number)"
    // Always as long: whoever reads it meanwhile finds all of it.
    let zeros = String(repeating: "0", count: max(0, 19 - digits.count))
    let text = Array("\(name) \(zeros)\(digits)".utf8)
    return unsafe text.withUnsafeBytes {
      unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0)
    } == text.count
  }
}
