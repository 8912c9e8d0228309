#if Gateway
  internal import FreshStore
  internal import NIOCore

  /// The bytes that are kept of a representation, one extent behind the other.
  struct ContentBytes: Sendable {
    /// Bytes that lie in the file, and the record that has them.
    struct Stored: Sendable {
      let blocks: ContentReference
      /// `nil` for what no record has yet.
      let record: KeptRecord<StoredBody>?
    }

    let content: StoredContent
    /// Empty for those that lie in the file.
    let bytes: ByteBuffer
    /// Where they lie that memory does not have.
    let stored: Stored?

    init(content: StoredContent, bytes: ByteBuffer) {
      (self.content, self.bytes, stored) = (content, bytes, nil)
    }

    init(content: StoredContent, stored: Stored) {
      (self.content, bytes, self.stored) = (content, ByteBuffer(), stored)
    }

    /// Where the bytes of a range lie among those that are kept; `nil` when not all of them are there.
    func place(of range: Range<Int64>) -> Range<Int64>? {
      var offset: Int64 = 0
      for extent in content.extents {
        if extent.lowerBound <= range.lowerBound, range.upperBound <= extent.upperBound {
          let start = offset + range.lowerBound - extent.lowerBound
          return start..<start + (range.upperBound - range.lowerBound)
        }
        offset += Int64(extent.count)
      }
      return range.isEmpty ? 0..<0 : nil
    }

    /// The bytes of a range; `nil` when not all of them are in memory.
    func slice(_ range: Range<Int64>) -> ByteBuffer? {
      guard stored == nil, let place = place(of: range) else { return nil }
      return bytes.getSlice(
        at: bytes.readerIndex + Int(place.lowerBound), length: place.count)
    }

    /// Bytes of a source.
    typealias Piece = (source: ContentBytes, range: Range<Int64>)

    /// The bytes of several extents, each from whichever of two has it; `nil` when neither has all.
    static func joined(
      _ extents: [Range<Int64>], from new: ContentBytes, _ old: ContentBytes
    ) -> ByteBuffer? {
      var joined = ByteBuffer()
      for piece in pieces(of: extents, from: new, old) ?? [] {
        guard var bytes = piece.source.slice(piece.range) else { return nil }
        joined.writeBuffer(&bytes)
      }
      return Int64(joined.readableBytes) == extents.reduce(0) { $0 + Int64($1.count) }
        ? joined : nil
    }

    /// From where the bytes of several extents are taken; `nil` when neither of two has all.
    static func pieces(
      of extents: [Range<Int64>], from new: ContentBytes, _ old: ContentBytes
    ) -> [Piece]? {
      var pieces: [Piece] = []
      for extent in extents {
        var position = extent.lowerBound
        while position < extent.upperBound {
          guard let part = new.part(from: position) ?? old.part(from: position, before: new)
          else { return nil }
          let end = min(extent.upperBound, part.end)
          pieces.append((part.source, position..<end))
          position = end
        }
      }
      return pieces
    }

    private func part(from position: Int64) -> (source: ContentBytes, end: Int64)? {
      content.extents.first { $0.contains(position) }.map { (self, $0.upperBound) }
    }

    private func part(
      from position: Int64, before other: ContentBytes
    ) -> (source: ContentBytes, end: Int64)? {
      part(from: position).map { part in
        let next = other.content.extents.map(\.lowerBound).first { $0 > position }
        return (part.source, min(part.end, next ?? part.end))
      }
    }
  }
#endif
