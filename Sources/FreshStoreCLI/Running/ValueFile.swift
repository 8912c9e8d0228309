#if CommandLine
  internal import Platform

  /// A file that a value is read from; `-` is standard input.
  struct ValueFile {
    private let name: String
    private let limit: Int

    init(_ name: String, limit: Int) {
      self.name = name
      self.limit = limit
    }

    /// All of it; fails when there is more than the limit.
    func read() throws(CommandFailure) -> [UInt8] {
      let value: [UInt8]
      do throws(Descriptor.Failure) {
        value =
          name == "-"
          ? try Descriptor.read(Descriptor.standardInput, limit: limit)
          : try Descriptor.read(path: name, limit: limit)
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
#endif
