internal import Platform

/// The files that say whom the system's resolver asks, and what it knows by itself. They often change
/// some seconds after the network has, and nobody announces that.
struct ResolverFiles: Sendable {
  /// A state of the files: two that differ in any byte of a file are not the same.
  struct Stamp: Equatable {
    fileprivate var numbers: [Int64] = []
  }

  static let system = ResolverFiles(paths: ["/etc/resolv.conf", "/etc/hosts"])

  let paths: [String]

  /// The present state; some microseconds.
  var stamp: Stamp {
    var stamp = Stamp()
    for path in paths {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else {
        stamp.numbers.append(-1)
        continue
      }
      stamp.numbers += [
        Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino),
        Int64(status.st_size),
      ]
      #if canImport(Darwin)
        let changes = [status.st_mtimespec, status.st_ctimespec]
      #else
        let changes = [status.st_mtim, status.st_ctim]
      #endif
      for change in changes {
        stamp.numbers += [Int64(change.tv_sec), Int64(change.tv_nsec)]
      }
    }
    return stamp
  }
}
