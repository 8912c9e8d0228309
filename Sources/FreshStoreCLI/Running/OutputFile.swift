#if CommandLine
  internal import Platform

  /// The file that a value is written to: it has the whole old content or the whole new one, whenever it
  /// is read, and after a power cut.
  struct OutputFile: Sendable {
    private let path: String

    /// - Parameter path: The file, to be made or replaced; a pipe or a device is written to.
    init(_ path: String) { self.path = path }

    /// Writes a value.
    ///
    /// - Parameter ifChanged: Leaves a file alone that has this content.
    /// - Returns: False when nothing had to be written.
    func write(_ value: [UInt8], ifChanged: Bool) throws(CommandFailure) -> Bool {
      do throws(Descriptor.Failure) {
        guard isReplaceable else {
          try Self.overwrite(path, with: value)
          return true
        }
        if ifChanged, try has(value) { return false }
        try replace(with: value)
        return true
      } catch {
        throw CommandFailure(
          .inputOutput, "\(path.debugDescription) cannot be written: \(error.words)")
      }
    }

    /// True for a regular file, or none.
    private var isReplaceable: Bool {
      var status = stat()
      return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    private func has(_ value: [UInt8]) throws(Descriptor.Failure) -> Bool {
      guard !Descriptor.isMissing(path) else { return false }
      return try Descriptor.read(path: path, limit: value.count) == value
    }

    private static func overwrite(
      _ path: String, with value: [UInt8]
    ) throws(Descriptor.Failure) {
      let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .last }
      defer { close(descriptor) }
      try Descriptor.write(value, to: descriptor)
    }

    /// Writes a file beside it, and gives that its name once it is on the disk. What a symbolic link
    /// names is replaced, not the link.
    private func replace(with value: [UInt8]) throws(Descriptor.Failure) {
      let target = PathName.resolved(path)
      let draft = "\(target).\(getpid())"
      let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw .last }
      do throws(Descriptor.Failure) {
        defer { close(descriptor) }
        var status = stat()
        if unsafe stat(target, &status) == 0 {
          // Whoever may read it may read it still.
          _ = fchmod(descriptor, status.st_mode & 0o7777)
        }
        try Descriptor.write(value, to: descriptor)
        guard fsync(descriptor) == 0 else { throw .last }
        guard unsafe rename(draft, target) == 0 else { throw .last }
      } catch {
        _ = unsafe unlink(draft)
        throw error
      }
    }
  }
#endif
