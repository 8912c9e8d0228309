#if Gateway
  internal import FreshHTTP
  internal import NIOCore

  /// What is there of content that is shared, and how far each reader has come.
  extension SharedBody {
    struct Reader {
      let client: String?
      var taken: Int64 = 0
      var isCut = false
      var waiter: CheckedContinuation<Step, Never>?
    }

    /// What a reader that asks for the next part is told.
    enum Step: Sendable {
      case part(Part)
      /// It lies in the file, from this place on, of so many bytes.
      case stored(Int64, of: Int64)
    }

    struct Delivery: Sendable {
      let waiter: CheckedContinuation<Step, Never>
      let part: Part
    }

    struct State {
      /// With the place of each in the content.
      var parts: [(start: Int64, bytes: ByteBuffer)] = []
      var received: Int64 = 0
      var dropped: Int64 = 0
      var isKept: Bool
      /// How many bytes can be read from the file.
      var spilled: Int64 = 0
      /// True once it goes into the file.
      var isSpilling = false
      /// Whether what lies in the file was still read when it was given up; `nil` while it was not.
      var givenUpWhileRead: Bool?
      /// The bytes that were taken of the budget, and are still in memory.
      var held = 0
      /// The bytes that were taken of the room on the disk.
      var roomTaken = 0
      /// True while those who have asked for it may still join.
      var awaitsReaders = true
      /// Whose readers were cut off, as too many others of that client are slow.
      var slowClient: String?
      var ending: Part?
      var trailers = HeaderFields()
      var fault: String?
      var readers: [Int: Reader] = [:]
      var nextReader = 0
      var producer: CheckedContinuation<Void, Never>?

      /// True where all that is in memory was taken of the budget.
      var isHeld: Bool { Int64(held) >= received - dropped }

      var isWanted: Bool { isKept || awaitsReaders || isRead }

      /// True while somebody reads it who was not cut off.
      var isRead: Bool { readers.values.contains { !$0.isCut } }

      /// Whose readers it has; `nil` where these are of several clients, or it is not known of whom.
      var client: String? {
        let clients = Set(readers.values.filter { !$0.isCut }.map(\.client))
        return clients.count == 1 ? clients.first ?? nil : nil
      }

      /// True while somebody has yet to read of what memory does not have any more.
      var isReadFromFile: Bool { readers.values.contains { !$0.isCut && $0.taken < dropped } }

      var isBroken: Bool { if case .broken? = ending { true } else { false } }

      /// How far the fastest reader has come; who was cut off goes no further.
      var fastest: Int64 {
        let reading = readers.values.lazy.filter { !$0.isCut }.map(\.taken).max()
        return reading ?? readers.values.lazy.map(\.taken).max() ?? 0
      }

      mutating func add(_ bytes: ByteBuffer) {
        defer { received += Int64(bytes.readableBytes) }
        let count = parts.count
        if count > 0, parts[count - 1].bytes.takeIn(bytes, of: count) { return }
        parts.append((received, bytes))
      }

      /// What a reader gets next; `nil` while nothing is here for it.
      func take(for reader: inout Reader) -> Part? {
        if reader.isCut { return .broken }
        guard reader.taken < received else { return ending }
        // Few parts wait for a reader that keeps up, at the end.
        guard let place = parts.lastIndex(where: { $0.start <= reader.taken }) else {
          return .broken
        }
        let part = parts[place]
        let offset = Int(reader.taken - part.start)
        guard
          let bytes = part.bytes.getSlice(
            at: part.bytes.readerIndex + offset, length: part.bytes.readableBytes - offset)
        else { return .broken }
        reader.taken += Int64(bytes.readableBytes)
        return .bytes(bytes)
      }

      /// Hands what is there to the readers that wait.
      mutating func serve() -> [Delivery] {
        var deliveries: [Delivery] = []
        for (name, reader) in readers {
          guard let waiter = reader.waiter else { continue }
          var reader = reader
          guard let part = take(for: &reader) else { continue }
          reader.waiter = nil
          readers[name] = reader
          deliveries.append(Delivery(waiter: waiter, part: part))
        }
        return deliveries
      }
    }
  }

  extension ByteBuffer {
    /// The same bytes, in memory of their own where they would else keep much more of it than they are: a part is a slice
    /// of what was read at once, tens of kilobytes, however short it is.
    var unpinned: ByteBuffer {
      storageCapacity > 2 * readableBytes + 1024 ? ByteBuffer(bytes: readableBytesView) : self
    }

    /// Takes in a part that comes right behind this one, where both are short and many wait already; false where the part
    /// is better left by itself.
    ///
    /// A peer may send chunks of one byte. Each takes more room beside its byte than that, keeps what it was received with
    /// in memory, and makes the parts so many that to take the first of them moves all others for long.
    ///
    /// - Parameter count: The number of parts that wait.
    mutating func takeIn(_ next: ByteBuffer, of count: Int) -> Bool {
      guard count >= Self.manyParts, readableBytes + next.readableBytes <= Self.shortPart else {
        return false
      }
      writeImmutableBuffer(next)
      return true
    }

    /// Of so few each may be as it came.
    private static let manyParts = 16
    private static let shortPart = 8 << 10
  }

  extension [ByteBuffer] {
    /// Adds a part, as one with the last where both are short.
    mutating func add(_ part: ByteBuffer) {
      if let last = indices.last, self[last].takeIn(part, of: count) { return }
      append(part)
    }
  }
#endif
