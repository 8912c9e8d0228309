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

    /// The lines of a file that are not empty.
    static func lines(_ path: String) throws(CommandFailure) -> [String] {
      let file = try InputFile(path)
      var bytes: [UInt8] = []
      while case let next = try file.next(), !next.isEmpty { bytes += next }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw CommandFailure(.usage, "\(file.name) is not UTF-8; write one URL or key a line")
      }
      return text.split(whereSeparator: \.isNewline).map(String.init)
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
