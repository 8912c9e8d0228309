#if CommandLine
  internal import Platform
  internal import Synchronization

  /// A pipe of this process's own.
  final class Pipe: Sendable {
    let readingEnd: Int32
    let writingEnd: Int32
    private let isWritable = Mutex(true)

    init() throws(Descriptor.Failure) {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { throw .last }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (readingEnd, writingEnd) = (ends[0], ends[1])
    }

    deinit {
      closeWritingEnd()
      close(readingEnd)
    }

    /// Lets the reader reach the end, once no other process can write either.
    func closeWritingEnd() {
      isWritable.withLock { isWritable in
        if isWritable { close(writingEnd) }
        isWritable = false
      }
    }
  }
#endif
