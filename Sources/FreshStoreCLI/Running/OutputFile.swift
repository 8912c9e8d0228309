#if CommandLine
  internal import Platform

  /// The file for a value. It has the whole old content or the whole new content at any time, even after a power cut.
  struct OutputFile: Sendable {
    private let path: String

    /// - Parameter path: The file to make or replace. A pipe or a device is written to.
    init(_ path: String) { self.path = path }

    /// Writes a value.
    ///
    /// - Parameter ifChanged: True to leave a file that has this content.
    /// - Returns: False when nothing had to be written.
    func write(_ value: [UInt8], ifChanged: Bool) throws(CommandFailure) -> Bool {
      do throws(Descriptor.Failure) {
        if let descriptor {
          try Descriptor.write(value, to: descriptor)
          return true
        }
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

    /// The open descriptor that the path names. It is written to at its present position.
    private var descriptor: Int32? {
      switch path {
      case "-", "/dev/stdout": Descriptor.standardOutput
      case "/dev/stderr": Descriptor.standardError
      default:
        ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix).flatMap {
          Int32(path.dropFirst($0.count))
        }
      }
    }

    /// True for a regular file, or a missing one.
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
      // This does not wait for the reader of a named pipe, which may never come.
      let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else {
        guard errno == ENXIO else { throw .last }
        throw Descriptor.Failure(
          words: "it is a pipe that nobody reads, or a socket; start the reader of the pipe first")
      }
      defer { close(descriptor) }
      try Descriptor.write(value, to: descriptor)
    }

    /// Writes a draft beside the file, and renames it once it is on the disk. A symbolic link stays; its target is
    /// replaced.
    private func replace(with value: [UInt8]) throws(Descriptor.Failure) {
      let target = PathName.resolved(path)
      var status = stat()
      // A link that was not resolved leads back to itself, or to another link that leads nowhere.
      if unsafe lstat(target, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
        throw Descriptor.Failure(number: ELOOP)
      }
      let draft = PathName.split(target).folder + ".freshstore-" + Self.randomName
      let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw .last }
      do throws(Descriptor.Failure) {
        defer { close(descriptor) }
        try Self.takeOver(target, descriptor)
        try Descriptor.write(value, to: descriptor)
        guard fsync(descriptor) == 0 else { throw .last }
        guard unsafe rename(draft, target) == 0 else { throw .last }
      } catch {
        _ = unsafe unlink(draft)
        throw error
      }
    }

    /// Gives the draft the owner and the permissions of the replaced file, but no right to run as its owner.
    private static func takeOver(
      _ target: String, _ descriptor: Int32
    ) throws(Descriptor.Failure) {
      var status = stat()
      guard unsafe stat(target, &status) == 0 else {
        let mask = umask(0o077)
        _ = umask(mask)
        guard fchmod(descriptor, 0o666 & ~mask) == 0 else { throw .last }
        return
      }
      // Without the right to give a file away, another user's file becomes this user's: the folder allows no more.
      let isOwned = fchown(descriptor, status.st_uid, status.st_gid) == 0
      let rights: mode_t = isOwned ? 0o777 : 0o755
      guard fchmod(descriptor, status.st_mode & rights) == 0 else { throw .last }
    }

    private static var randomName: String { String(UInt64.random(in: .min ... .max), radix: 36) }
  }
#endif
