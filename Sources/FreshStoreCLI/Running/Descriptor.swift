#if CommandLine
  internal import Platform

  /// Reading and writing whole files by their descriptors.
  enum Descriptor {
    static let standardInput = STDIN_FILENO
    static let standardOutput = STDOUT_FILENO
    static let standardError = STDERR_FILENO

    /// Fills a standard descriptor that is closed, so that no file opened later is taken for it:
    /// opened the wrong way round, it fails where a closed one would.
    static func occupyStandard() {
      for descriptor in [standardInput, standardOutput, standardError]
      where fcntl(descriptor, F_GETFD) == -1 {
        _ = unsafe open("/dev/null", descriptor == standardInput ? O_WRONLY : O_RDONLY)
      }
    }

    /// Leaves only the standard three descriptors open in a program started from now on. Ours never
    /// are open there; those that this program inherited are, until they are marked.
    static func keepToThisProgram() {
      for descriptor in numbers(in: "/dev/fd") where descriptor > standardError {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      }
    }

    /// The names in a folder that are numbers; none for a folder that cannot be read.
    static func numbers(in path: String) -> [Int32] {
      guard let folder = unsafe opendir(path) else { return [] }
      defer { unsafe closedir(folder) }
      var numbers: [Int32] = []
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if let number = Int32(name) { numbers.append(number) }
      }
      return numbers
    }

    /// The system's report of a failure.
    struct Failure: Error {
      let isBrokenPipe: Bool
      let words: String

      static var last: Failure { Failure(number: errno) }

      init(number: Int32) {
        isBrokenPipe = number == EPIPE
        words = unsafe String(cString: strerror(number))
      }

      /// A failure in words of our own, where the system's say too little.
      init(words: String) {
        isBrokenPipe = false
        self.words = words
      }
    }

    /// Whether a few bytes can be written at once.
    static func isReady(_ descriptor: Int32) -> Bool {
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      return unsafe poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLOUT) != 0
    }

    /// Writes everything, waiting for a slow reader.
    ///
    /// - Parameter patience: How long that may take none; `nil` for any time. For a descriptor that does not block.
    static func write(
      _ bytes: [UInt8], to descriptor: Int32, waitingAtMost patience: Duration? = nil
    ) throws(Failure) {
      var written = 0
      while written < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { buffer in
          unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]))
        }
        if count >= 0 {
          written += count
        } else if errno == EAGAIN {
          guard wait(for: descriptor, POLLOUT, atMost: patience) else {
            throw Failure(words: "nobody reads it")
          }
        } else if errno != EINTR {
          throw .last
        }
      }
    }

    /// Reads to the end, or until more than `limit` bytes have come.
    static func read(_ descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65536)
      while bytes.count <= limit {
        let count = unsafe chunk.withUnsafeMutableBytes { buffer in
          unsafe systemRead(descriptor, buffer)
        }
        if count > 0 {
          bytes += chunk[..<count]
        } else if count == 0 {
          return bytes
        } else if errno == EAGAIN {
          _ = wait(for: descriptor, POLLIN)
        } else if errno != EINTR {
          throw .last
        }
      }
      return bytes
    }

    /// Reads a file to its end, or until more than `limit` bytes have come. Of a pipe the writer is waited
    /// for.
    static func read(path: String, limit: Int) throws(Failure) -> [UInt8] {
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .last }
      defer { close(descriptor) }
      return try read(descriptor, limit: limit)
    }

    /// The same of a file that an argument names; `-` is standard input.
    static func read(argument: String, limit: Int) throws(Failure) -> [UInt8] {
      argument == "-"
        ? try read(standardInput, limit: limit) : try read(path: argument, limit: limit)
    }

    /// What a file of settings or secrets holds.
    struct Content {
      let bytes: [UInt8]
      /// True when other users may use the file. One of another user may be open to a group: that is how
      /// a service gets access.
      let isOpenToOthers: Bool
    }

    /// Reads a file of settings or secrets to its end, or until more than `limit` bytes have come.
    static func content(of path: String, limit: Int) throws(Failure) -> Content {
      try withFile(path) { (descriptor, status) throws(Failure) in
        Content(
          bytes: try read(descriptor, limit: limit), isOpenToOthers: isOpenToOthers(status))
      }
    }

    /// As of ``Content/isOpenToOthers``; false for a file that cannot be looked at.
    static func isOpenToOthers(_ path: String) -> Bool {
      var status = stat()
      return unsafe stat(path, &status) == 0 && isOpenToOthers(status)
    }

    private static func isOpenToOthers(_ status: stat) -> Bool {
      let others: mode_t = status.st_uid == geteuid() ? 0o077 : 0o007
      return status.st_mode & S_IFMT == S_IFREG && status.st_mode & others != 0
    }

    /// Fails where ``content(of:limit:)`` would at once, and reads nothing.
    static func check(_ path: String) throws(Failure) {
      try withFile(path) { (_, _) throws(Failure) in }
    }

    /// Opens a file of settings or secrets while a body runs. Nobody is waited for: a named pipe, whose
    /// writer may never come, is refused. One that is open already, as `/dev/stdin` is or what a shell makes
    /// of `<(...)`, has its writer.
    private static func withFile<Result>(
      _ path: String, _ body: (Int32, stat) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else {
        guard errno == ENXIO else { throw .last }
        throw Failure(words: "it is a socket or a device that is not there; name a regular file")
      }
      defer { close(descriptor) }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
      switch status.st_mode & S_IFMT {
      case S_IFIFO where !isDescriptor(path):
        throw Failure(
          words:
            "it is a named pipe, whose writer may never come; name a regular file, or <(COMMAND)")
      case S_IFDIR: throw Failure(number: EISDIR)
      default: return try body(descriptor, status)
      }
    }

    /// True for a name that stands for an open descriptor.
    static func isDescriptor(_ path: String) -> Bool {
      ["/dev/fd/", "/dev/std", "/proc/"].contains { path.hasPrefix($0) }
    }

    /// Makes a folder for its owner only; an existing one is left as it is.
    static func makeFolder(_ path: String) throws(Failure) {
      guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
      throw .last
    }

    /// True when a file of any kind exists there.
    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// True when this user may write the file.
    static func isWritable(_ path: String) -> Bool {
      unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
    }

    /// True when the system says that there is no such file; also false when it does not say.
    static func isMissing(_ path: String) -> Bool {
      unsafe access(path, F_OK) != 0 && errno == ENOENT
    }

    /// True when a program that is started later can read the same there: a pipe is empty once it
    /// was read, and the name of a descriptor means another one there.
    static func isLasting(_ path: String) -> Bool {
      var status = stat()
      return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && !isDescriptor(path)
    }

    /// False when the time is over; any other result is reported by the next call.
    private static func wait(
      for descriptor: Int32, _ events: Int32, atMost limit: Duration? = nil
    ) -> Bool {
      var descriptors = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      return unsafe poll(&descriptors, 1, milliseconds(limit)) != 0
    }

    /// Waits until one of the descriptors has something to read or is at its end, at most for the
    /// limit.
    ///
    /// - Returns: Those that have; none when the time is over.
    static func wait(for descriptors: [Int32], atMost limit: Duration? = nil) -> [Int32] {
      let end = limit.map { ContinuousClock.now + $0 }
      while true {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let left = end.map { max(.zero, $0 - ContinuousClock.now) }
        let count = unsafe poll(&polled, nfds_t(polled.count), milliseconds(left))
        if count > 0 { return polled.filter { $0.revents != 0 }.map(\.fd) }
        if count == 0 { return [] }
        guard errno == EINTR else { return descriptors }
      }
    }

    /// A time limit for poll(2), rounded up: a wait that ends early would be repeated at once.
    private static func milliseconds(_ limit: Duration?) -> Int32 {
      limit.map { Int32(clamping: Int(($0 / .milliseconds(1)).rounded(.up))) } ?? -1
    }

    /// The next bytes of a readable descriptor; none at its end.
    static func readAvailable(_ descriptor: Int32) throws(Failure) -> [UInt8] {
      // One piece, because any byte exceeds a limit of zero.
      try read(descriptor, limit: 0)
    }
  }

  /// The system calls, outside of the type whose methods have the same names.
  private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, buffer.baseAddress, buffer.count)
  }

  private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
  }
#endif
