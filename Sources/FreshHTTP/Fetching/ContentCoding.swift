#if HTTP
  internal import CZlib

  /// The codings that are taken off content: gzip, under both of its names, and zlib's `deflate` (RFC 9110 section
  /// 8.4.1).
  enum ContentCoding {
    enum Failure: Error {
      case damaged
      /// It is longer than the limit once it is decoded.
      case tooLarge
    }

    /// True for a `Content-Encoding` that is understood.
    static func isKnown(_ coding: String) -> Bool {
      ["gzip", "x-gzip", "deflate"].contains(FieldSyntax.lowercased(coding))
    }

    /// The content; gzip may come in several members, one after the other (RFC 1952 section 2.2).
    ///
    /// - Parameter isPrefix: True where the end is missing on purpose: what can be decoded is.
    static func decoded(
      _ bytes: [UInt8], limit: Int, isPrefix: Bool
    ) throws(Failure) -> [UInt8] {
      var (decoded, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
      while !rest.isEmpty {
        let (count, isWhole) = try inflate(rest, into: &decoded, limit: limit)
        guard isWhole else {
          guard isPrefix else { throw .damaged }
          return decoded
        }
        rest = rest.dropFirst(count)
        // Some servers fill up with zeros, as the tool of that name does.
        if rest.allSatisfy({ $0 == 0 }) { return decoded }
      }
      return decoded
    }

    /// Decodes one member; returns how many bytes it has, and whether its end was there.
    private static func inflate(
      _ bytes: ArraySlice<UInt8>, into decoded: inout [UInt8], limit: Int
    ) throws(Failure) -> (count: Int, isWhole: Bool) {
      // zlib keeps the place of this value, which must not move meanwhile.
      let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      unsafe stream.initialize(to: z_stream())
      defer { unsafe stream.deallocate() }
      // A window of 32 KiB, the largest; 32 more tell gzip and zlib apart by their first bytes.
      guard unsafe freshstore_inflate_init(stream, 15 + 32) == Z_OK else { throw .damaged }
      defer { unsafe _ = inflateEnd(stream) }
      var room = [UInt8](repeating: 0, count: 64 << 10)
      var (code, read, written) = (Z_OK, 0, 0)
      repeat {
        let part = bytes.dropFirst(read).prefix(1 << 20)
        unsafe part.withUnsafeBufferPointer { input in
          unsafe room.withUnsafeMutableBufferPointer { output in
            // zlib reads through this pointer, and writes nothing there.
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe stream.pointee.avail_in = uInt(input.count)
            unsafe stream.pointee.next_out = output.baseAddress
            unsafe stream.pointee.avail_out = uInt(output.count)
            unsafe code = CZlib.inflate(stream, Z_NO_FLUSH)
            unsafe written = output.count - Int(stream.pointee.avail_out)
            unsafe read += input.count - Int(stream.pointee.avail_in)
          }
        }
        decoded += room[..<written]
        guard decoded.count <= limit else { throw .tooLarge }
      } while code == Z_OK && (read < bytes.count || written == room.count)
      guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(code) else { throw .damaged }
      return (read, code == Z_STREAM_END)
    }
  }
#endif
