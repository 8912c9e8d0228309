#if CommandLine
  internal import Platform

  /// A file that is read piece by piece, or standard input.
  struct InputFile: ~Copyable {
    /// Its name in messages.
    let name: String
    /// Its size; `nil` when unknown.
    let size: Int?
    private let descriptor: Int32

    /// - Parameter path: The file's, or `-` for standard input.
    init(_ path: String) throws(CommandFailure) {
      name = path == "-" ? "standard input" : path.debugDescription
      let opened =
        path == "-" ? Descriptor.standardInput : unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard opened >= 0 else { throw Self.failure(name, .last) }
      var status = stat()
      let isFile = unsafe fstat(opened, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      size = isFile ? Int(status.st_size) : nil
      descriptor = opened
    }

    deinit {
      if descriptor != Descriptor.standardInput { close(descriptor) }
    }

    /// The next bytes; none at its end.
    borrowing func next() throws(CommandFailure) -> [UInt8] {
      do throws(Descriptor.Failure) {
        return try Descriptor.readAvailable(descriptor)
      } catch {
        throw Self.failure(name, error)
      }
    }

    private static func failure(_ name: String, _ failure: Descriptor.Failure) -> CommandFailure {
      CommandFailure(.inputOutput, "\(name) cannot be read: \(failure.words)")
    }
  }
#endif
