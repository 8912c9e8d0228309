#if Gateway
  internal import FreshHTTP
  internal import NIOCore

  /// The state of shared content: its bytes that are here, and the position of each reader.
  extension SharedBody {
    enum Part: Sendable {
      case bytes(ByteBuffer)
      case end
      /// It is not whole, and never will be.
      case broken
    }

    struct Limits: Sendable {
      /// How far the origin may be read ahead of the fastest reader.
      var window: Int64 = 256 << 10
      /// The same while it is kept and its length is unknown.
      var keptWindow: Int64 = 4 << 20
      /// How far the slowest reader may fall behind the fastest.
      var lag: Int64 = 4 << 20
    }

    struct Reader {
      let client: String?
      var taken: Int64 = 0
      var isCut = false
      var waiter: CheckedContinuation<Step, Never>?
    }

    /// The answer to a reader that wants the next part.
    enum Step: Sendable {
      case part(Part)
      /// The part is in the file: from this offset on, of this many bytes.
      case stored(Int64, of: Int64)
    }

    struct Delivery: Sendable {
      let waiter: CheckedContinuation<Step, Never>
      let part: Part
    }

    struct State {
      /// The parts in memory, each with its offset in the content.
      var parts: [(start: Int64, bytes: ByteBuffer)] = []
      var received: Int64 = 0
      var dropped: Int64 = 0
      var isKept: Bool
      /// How many bytes can be read from the file.
      var spilled: Int64 = 0
      /// True once the content goes into the file.
      var isSpilling = false
      /// Whether content in the file was still being read when it was given up; `nil` while it was not given up.
      var givenUpWhileRead: Bool?
      /// The bytes that were taken from the budget, and are still in memory.
      var held = 0
      /// The bytes that were taken from the disk space.
      var roomTaken = 0
      /// True while clients that have requested it may still join.
      var awaitsReaders = true
      /// The client whose readers were cut off, as too many other exchanges of it are slow.
      var slowClient: String?
      var ending: Part?
      var trailers = HeaderFields()
      var fault: String?
      var readers: [Int: Reader] = [:]
      var nextReader = 0
      var producer: CheckedContinuation<Void, Never>?

      /// True where all bytes in memory were taken from the budget.
      var isHeld: Bool { Int64(held) >= received - dropped }

      var isWanted: Bool { isKept || awaitsReaders || isRead }

      /// True while it has a reader that was not cut off.
      var isRead: Bool { readers.values.contains { !$0.isCut } }

      /// The client of its readers; `nil` for readers of several clients, or of an unknown one.
      var client: String? {
        let clients = Set(readers.values.filter { !$0.isCut }.map(\.client))
        return clients.count == 1 ? clients.first ?? nil : nil
      }

      /// True while a reader still needs bytes that memory does not have any more.
      var isReadFromFile: Bool { readers.values.contains { !$0.isCut && $0.taken < dropped } }

      var isBroken: Bool { if case .broken? = ending { true } else { false } }

      /// The position of the fastest reader; readers that were cut off go no further.
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

      /// The next part for a reader; `nil` while there is none.
      func take(for reader: inout Reader) -> Part? {
        if reader.isCut { return .broken }
        guard reader.taken < received else { return ending }
        // A reader that keeps up finds its part among the last ones.
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

      /// The parts for the readers that wait.
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
    /// The same bytes, copied where the slice would keep much more memory than it needs. A part is a slice of one read
    /// of tens of kilobytes, however short it is.
    var unpinned: ByteBuffer {
      storageCapacity > 2 * readableBytes + 1024 ? ByteBuffer(bytes: readableBytesView) : self
    }

    /// Appends the part that follows this one, where both are short and many parts wait already; false where they stay
    /// apart.
    ///
    /// A peer may send chunks of one byte. Each part takes more memory than its byte, and keeps the buffer in which it
    /// was received. Many parts also make the removal of the first one slow.
    ///
    /// - Parameter count: The number of parts that wait.
    mutating func takeIn(_ next: ByteBuffer, of count: Int) -> Bool {
      guard count >= Self.manyParts, readableBytes + next.readableBytes <= Self.shortPart else {
        return false
      }
      writeImmutableBuffer(next)
      return true
    }

    /// Fewer parts are never joined.
    private static let manyParts = 16
    private static let shortPart = 8 << 10
  }

  extension [ByteBuffer] {
    /// Adds a part, joined with the last one where both are short.
    mutating func add(_ part: ByteBuffer) {
      if let last = indices.last, self[last].takeIn(part, of: count) { return }
      append(part)
    }
  }
#endif
