#if CommandLine
  internal import Platform

  /// A file or standard input, which is read piece by piece.
  struct InputFile: ~Copyable {
    /// Its name in messages.
    let name: String
    /// Its size; `nil` when unknown.
    let size: Int?
    private let descriptor: Int32

    /// - Parameter path: The path of the file, or `-` for standard input.
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

    /// The lines of a file, without empty ones.
    static func lines(_ path: String) throws(CommandFailure) -> [String] {
      let file = try InputFile(path)
      var bytes: [UInt8] = []
      while case let next = try file.next(), !next.isEmpty { bytes += next }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw CommandFailure(.usage, "\(file.name) is not UTF-8; write one URL or key a line")
      }
      return text.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// The next bytes; none at the end.
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

  /// A file that holds a value; `-` is standard input.
  enum ValueFile {
    /// The whole content; fails when it exceeds the limit.
    static func read(_ name: String, limit: Int) throws(CommandFailure) -> [UInt8] {
      let value: [UInt8]
      do throws(Descriptor.Failure) {
        value = try Descriptor.read(argument: name, limit: limit)
      } catch {
        let source = name == "-" ? "standard input" : name.debugDescription
        throw CommandFailure(.inputOutput, "\(source) cannot be read: \(error.words)")
      }
      guard value.count <= limit else {
        throw CommandFailure(
          .refused,
          "the value has more than \(ByteCount.words(limit)); raise --max-size to accept it")
      }
      return value
    }
  }

  /// A file of secrets that only this user can read.
  enum PrivateFile {
    private static let sizeLimit = 1 << 20

    /// Reads the whole file.
    ///
    /// - Parameter secrets: The content in words for messages, such as "the headers".
    static func read(_ path: String, holding secrets: String) throws(CommandFailure) -> [UInt8] {
      let name = "\(secrets) in \(path.debugDescription)"
      let content: Descriptor.Content
      do throws(Descriptor.Failure) {
        content = try Descriptor.content(of: path, limit: sizeLimit)
      } catch {
        throw CommandFailure(.inputOutput, "\(name) cannot be read: \(error.words)")
      }
      guard !content.isOpenToOthers || content.bytes.isEmpty else {
        throw exposure(of: secrets, in: path)
      }
      guard content.bytes.count <= sizeLimit else {
        throw CommandFailure(.usage, "\(name) have more than \(sizeLimit >> 20) MiB")
      }
      return content.bytes
    }

    /// Throws for a file that other users can read. The reader of a file that cannot be read at all reports that.
    static func checkExposure(of secrets: String, in path: String) throws(CommandFailure) {
      guard Descriptor.isOpenToOthers(path) else { return }
      throw CommandFailure(.usage, words(of: secrets, in: path, verb: "is", "a secret"))
    }

    /// The failure for secrets that other users can read.
    static func exposure(of secrets: String, in path: String) -> CommandFailure {
      CommandFailure(.usage, words(of: secrets, in: path, verb: "are", "secrets"))
    }

    private static func words(
      of secrets: String, in path: String, verb: String, _ noun: String
    ) -> String {
      "\(secrets) in \(path.debugDescription) \(verb) \(noun) that other users can read; chmod 600 it"
    }
  }
#endif
