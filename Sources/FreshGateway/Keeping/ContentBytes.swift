#if Gateway
  internal import NIOCore

  /// The bytes that are kept of a representation, one extent behind the other.
  struct ContentBytes: Sendable {
    let content: StoredContent
    let bytes: ByteBuffer

    /// The bytes of a range; `nil` when not all of them are there.
    func slice(_ range: Range<Int64>) -> ByteBuffer? {
      var offset: Int64 = 0
      for extent in content.extents {
        if extent.lowerBound <= range.lowerBound, range.upperBound <= extent.upperBound {
          let start = bytes.readerIndex + Int(offset + range.lowerBound - extent.lowerBound)
          return bytes.getSlice(at: start, length: range.count)
        }
        offset += Int64(extent.count)
      }
      return range.isEmpty ? ByteBuffer() : nil
    }

    /// The bytes of several extents, each from whichever of two has it; `nil` when neither has all.
    static func joined(
      _ extents: [Range<Int64>], from new: ContentBytes, _ old: ContentBytes
    ) -> ByteBuffer? {
      var joined = ByteBuffer()
      for extent in extents {
        var position = extent.lowerBound
        while position < extent.upperBound {
          guard let part = new.part(from: position) ?? old.part(from: position, before: new)
          else { return nil }
          let end = min(extent.upperBound, part.end)
          guard var bytes = part.source.slice(position..<end) else { return nil }
          joined.writeBuffer(&bytes)
          position = end
        }
      }
      return joined
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
