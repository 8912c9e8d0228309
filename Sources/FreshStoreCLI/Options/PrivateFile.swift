#if CommandLine
  /// A file of secrets that only this user can read.
  enum PrivateFile {
    private static let sizeLimit = 1 << 20

    /// Reads it whole.
    ///
    /// - Parameter secrets: What it holds, for the messages, as in "the headers".
    static func read(_ path: String, holding secrets: String) throws(CommandFailure) -> [UInt8] {
      let name = "\(secrets) in \(path.debugDescription)"
      let bytes: [UInt8]?
      do throws(Descriptor.Failure) {
        bytes = try Descriptor.readPrivate(path: path, limit: sizeLimit)
      } catch {
        throw CommandFailure(.inputOutput, "\(name) cannot be read: \(error.words)")
      }
      guard let bytes else {
        throw CommandFailure(
          .usage, "\(name) are secrets that other users can read; chmod 600 it")
      }
      guard bytes.count <= sizeLimit else {
        throw CommandFailure(.usage, "\(name) have more than \(sizeLimit >> 20) MiB")
      }
      return bytes
    }
  }
#endif
