#if Gateway
  internal import FreshStore
  internal import NIOCore

  /// The content of an answer whose bytes lie in the file, read one block at a time: whoever sends it asks for the next
  /// slice once the client has taken the last.
  struct StoredSlices: Sendable {
    /// What was sent of the answer is all that there is of it.
    enum Shortage: Error {
      /// A block is gone, or damaged.
      case gone
      /// The file cannot be read now.
      case unreadable
    }

    private enum Piece: Sendable {
      case bytes(ByteBuffer)
      /// The place among the bytes that are kept.
      case stored(Range<Int64>)
    }

    private var rest: ArraySlice<Piece> = []
    private let stored: ContentBytes.Stored
    private let reader: BlockReader

    /// `nil` for content that is in memory, or lacks bytes that the plan counts on.
    init?(_ content: AnswerPlan.Content, of bytes: ContentBytes, _ reader: BlockReader) {
      guard let stored = bytes.stored else { return nil }
      (self.stored, self.reader) = (stored, reader)
      var pieces: [Piece] = []
      switch content {
      case .none: break
      case .text(let text): pieces = [.bytes(ByteBuffer(string: text))]
      case .whole: pieces = [.stored(0..<stored.blocks.size)]
      case .range(let range):
        guard let place = bytes.place(of: range) else { return nil }
        pieces = [.stored(place)]
      case .ranges(let ranges):
        for part in ranges.parts {
          guard let place = bytes.place(of: part.range) else { return nil }
          pieces += [.bytes(ByteBuffer(bytes: part.head)), .stored(place)]
        }
        pieces.append(.bytes(ByteBuffer(bytes: ranges.end)))
      }
      rest = pieces[...]
    }

    /// The next bytes; `nil` at the end. Reads the blocks that are asked for, and no others.
    mutating func next() async throws(Shortage) -> ByteBuffer? {
      while let piece = rest.popFirst() {
        switch piece {
        case .bytes(let bytes): return bytes
        case .stored(let place):
          guard !place.isEmpty else { continue }
          guard let bytes = try await read(place) else { throw .gone }
          let end = place.lowerBound + Int64(bytes.readableBytes)
          if end < place.upperBound {
            rest.insert(.stored(end..<place.upperBound), at: rest.startIndex)
          }
          return bytes
        }
      }
      return nil
    }

    private func read(_ place: Range<Int64>) async throws(Shortage) -> ByteBuffer? {
      do throws(StoreError) {
        return try await reader.bytes(place, of: stored.blocks)
      } catch {
        throw .unreadable
      }
    }
  }
#endif
