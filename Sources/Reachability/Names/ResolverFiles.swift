internal import Platform

/// The files with the name servers and the local names of the system's resolver. They often change
/// some seconds after the network, without an announcement.
struct ResolverFiles: Sendable {
  /// A state of the files; a difference in any byte of a file makes it another.
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
