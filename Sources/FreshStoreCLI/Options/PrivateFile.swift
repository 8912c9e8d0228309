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

    /// Throws for a file that others can read. One that cannot be read at all is told of by whoever reads it.
    static func checkExposure(of secrets: String, in path: String) throws(CommandFailure) {
      guard Descriptor.isOpenToOthers(path) else { return }
      throw CommandFailure(.usage, words(of: secrets, in: path, verb: "is", "a secret"))
    }

    /// The failure for secrets that are open to others.
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
