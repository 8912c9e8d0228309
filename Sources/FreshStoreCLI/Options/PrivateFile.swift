#if CommandLine
  /// A file of secrets that only this user can read.
  enum PrivateFile {
    private static let sizeLimit = 1 << 20

    /// Reads it whole.
    ///
    /// - Parameter secrets: What it holds, for the messages, as in "the headers".
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

    /// The failure for secrets that are open to others.
    static func exposure(of secrets: String, in path: String) -> CommandFailure {
      CommandFailure(
        .usage,
        "\(secrets) in \(path.debugDescription) are secrets that other users can read; chmod 600 it"
      )
    }
  }
#endif
