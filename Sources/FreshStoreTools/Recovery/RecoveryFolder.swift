internal import FreshStore
internal import Platform

/// A folder for the copies of damaged files, beside the destination. It is removed, with its content, together with
/// this value.
struct RecoveryFolder: ~Copyable {
  private let path: String
  private static let suffixes = ["", "-wal", "-journal"]
  private var names: [String] = []

  init(beside file: String) throws(StoreError) {
    path = NewFile.temporaryName(beside: file, ending: "recovering")
    guard unsafe mkdir(path, 0o700) == 0 else { throw NewFile.failure(errno, .recover, file) }
  }

  deinit {
    for name in names {
      for suffix in Self.suffixes + ["-shm"] { _ = unsafe unlink(path + "/" + name + suffix) }
    }
    _ = unsafe rmdir(path)
  }

  /// Copies a database with its log; returns the path of the copy. Bytes that the disk cannot read become zeros.
  ///
  /// The shared memory is not copied: SQLite rebuilds it from the log.
  mutating func copy(_ database: String) throws(StoreError) -> String {
    // The log lies beside the file itself, not beside a link to it.
    let database = PathName.resolved(database)
    let name = "copy-\(names.count + 1)"
    names.append(name)
    for suffix in Self.suffixes where suffix.isEmpty || PathName.exists(database + suffix) {
      try Self.copy(database + suffix, to: path + "/" + name + suffix)
    }
    return path + "/" + name
  }

  /// The path for another database.
  mutating func newDatabase() -> String {
    let name = "made-\(names.count + 1)"
    names.append(name)
    return path + "/" + name
  }

  /// Replaces the first pages of a copy by those of another database.
  static func replacePages(of copy: String, with pages: borrowing DamagedPages, _ count: Int) {
    let output = unsafe Platform.open(copy, O_WRONLY | O_CLOEXEC, 0)
    guard output >= 0 else { return }
    for number in 1...max(1, count) {
      // The next read of the copy detects a failed write.
      guard let page = pages.page(number) else { break }
      let offset = off_t((number - 1) * pages.size)
      _ = unsafe page.withUnsafeBytes { unsafe pwrite(output, $0.baseAddress, $0.count, offset) }
    }
    close(output)
  }

  private static func copy(_ source: String, to target: String) throws(StoreError) {
    // Non-blocking: the path may name a pipe without a writer.
    let input = unsafe Platform.open(source, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0)
    guard input >= 0 else { throw NewFile.failure(errno, .recover, source) }
    defer { close(input) }
    var status = stat()
    guard unsafe fstat(input, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.notAFile, .recover, path: source)
    }
    let output = unsafe Platform.open(target, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw NewFile.failure(errno, .recover, target) }
    defer { close(output) }
    var offset = 0
    // One page: a read error loses no more than that.
    var page = [UInt8](repeating: 0, count: 4096)
    while true {
      var count = unsafe page.withUnsafeMutableBytes {
        unsafe pread(input, $0.baseAddress, $0.count, off_t(offset))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 {
        guard errno == EIO else { throw NewFile.failure(errno, .recover, source) }
        page = [UInt8](repeating: 0, count: page.count)
        count = page.count
      }
      guard count > 0 else { return }
      let written = unsafe page.withUnsafeBytes {
        unsafe pwrite(output, $0.baseAddress, count, off_t(offset))
      }
      guard written > 0 else { throw NewFile.failure(errno, .recover, target) }
      offset += written
    }
  }
}
