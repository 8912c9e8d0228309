#if CommandLine
  internal import Platform

  /// Reads and writes whole files through descriptors.
  enum Descriptor {
    static let standardInput = STDIN_FILENO
    static let standardOutput = STDOUT_FILENO
    static let standardError = STDERR_FILENO

    /// Fills a closed standard descriptor, so that no file that is opened later takes its number.
    ///
    /// It is opened in the wrong direction, so that it fails where a closed one would fail.
    static func occupyStandard() {
      for descriptor in [standardInput, standardOutput, standardError]
      where fcntl(descriptor, F_GETFD) == -1 {
        _ = unsafe open("/dev/null", descriptor == standardInput ? O_WRONLY : O_RDONLY)
      }
    }

    /// Leaves only the three standard descriptors open in programs that are started from now on.
    ///
    /// Descriptors of this program are never inherited. Those that this program inherited have to be marked.
    static func keepToThisProgram() {
      for descriptor in numbers(in: "/dev/fd") where descriptor > standardError {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      }
    }

    /// The names in a folder that are numbers; none when the folder cannot be read.
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

    /// A failure, as the system reports it.
    struct Failure: Error {
      let isBrokenPipe: Bool
      let words: String

      static var last: Failure { Failure(number: errno) }

      init(number: Int32) {
        isBrokenPipe = number == EPIPE
        words = unsafe String(cString: strerror(number))
      }

      /// A failure in words of its own, for when the system's words say too little.
      init(words: String) {
        isBrokenPipe = false
        self.words = words
      }
    }

    /// True when a few bytes can be written at once.
    static func isReady(_ descriptor: Int32) -> Bool {
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      return unsafe poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLOUT) != 0
    }

    /// Writes everything, and waits for a slow reader.
    ///
    /// - Parameter patience: How long the reader may take nothing; `nil` for any time. It is for a descriptor that
    ///   does not block.
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

    /// Reads a file to its end, or until more than `limit` bytes have come. It waits for the writer of a pipe.
    static func read(path: String, limit: Int) throws(Failure) -> [UInt8] {
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .last }
      defer { close(descriptor) }
      return try read(descriptor, limit: limit)
    }

    /// The same for a file that an argument names; `-` is standard input.
    static func read(argument: String, limit: Int) throws(Failure) -> [UInt8] {
      argument == "-"
        ? try read(standardInput, limit: limit) : try read(path: argument, limit: limit)
    }

    /// The content of a file of settings or secrets.
    struct Content {
      let bytes: [UInt8]
      /// True when other users may use the file. A file of another user may be open to its group: that is how a
      /// service gets access.
      let isOpenToOthers: Bool
    }

    /// Reads a file of settings or secrets to its end, or until more than `limit` bytes have come.
    static func content(of path: String, limit: Int) throws(Failure) -> Content {
      try withFile(path) { (descriptor, status) throws(Failure) in
        Content(
          bytes: try read(descriptor, limit: limit), isOpenToOthers: isOpenToOthers(status))
      }
    }

    /// As ``Content/isOpenToOthers``; false for a file that cannot be examined.
    static func isOpenToOthers(_ path: String) -> Bool {
      var status = stat()
      return unsafe stat(path, &status) == 0 && isOpenToOthers(status)
    }

    private static func isOpenToOthers(_ status: stat) -> Bool {
      let others: mode_t = status.st_uid == geteuid() ? 0o077 : 0o007
      return status.st_mode & S_IFMT == S_IFREG && status.st_mode & others != 0
    }

    /// Fails when ``content(of:limit:)`` would fail at once; reads nothing.
    static func check(_ path: String) throws(Failure) {
      try withFile(path) { (_, _) throws(Failure) in }
    }

    /// Opens a file of settings or secrets while a body runs.
    ///
    /// It waits for no other program: a named pipe is refused, because its writer may never come. A descriptor that
    /// is open already, such as `/dev/stdin` or a shell's `<(...)`, has its writer.
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

    /// True for a path that names an open descriptor.
    static func isDescriptor(_ path: String) -> Bool {
      ["/dev/fd/", "/dev/std", "/proc/"].contains { path.hasPrefix($0) }
    }

    /// Makes a folder for its owner only; an existing folder stays as it is.
    static func makeFolder(_ path: String) throws(Failure) {
      guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
      throw .last
    }

    /// True when a file of any kind is at the path.
    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// True when this user may write the file.
    static func isWritable(_ path: String) -> Bool {
      unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
    }

    /// True when the system says that there is no such file; false when it does not say.
    static func isMissing(_ path: String) -> Bool {
      unsafe access(path, F_OK) != 0 && errno == ENOENT
    }

    /// True when a program that is started later can read the same content there. A pipe is empty after one read, and
    /// the name of a descriptor means another one in that program.
    static func isLasting(_ path: String) -> Bool {
      var status = stat()
      return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && !isDescriptor(path)
    }

    /// Returns false when the time is over; the next call reports any other result.
    private static func wait(
      for descriptor: Int32, _ events: Int32, atMost limit: Duration? = nil
    ) -> Bool {
      var descriptors = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      return unsafe poll(&descriptors, 1, milliseconds(limit)) != 0
    }

    /// Waits until one of the descriptors can be read or is at its end, at most for the limit.
    ///
    /// - Returns: The descriptors that can be read; none when the time is over.
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
      // This reads one piece, because any byte exceeds a limit of zero.
      try read(descriptor, limit: 0)
    }
  }

  /// The system calls, outside of the type that has methods of the same names.
  private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, buffer.baseAddress, buffer.count)
  }

  private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
  }
#endif
