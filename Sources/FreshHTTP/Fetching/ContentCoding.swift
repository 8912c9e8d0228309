/// The content codings that are decoded: gzip, under both of its names, and zlib's `deflate` (RFC 9110
/// section 8.4.1).
enum ContentCoding {
  /// The names in `Content-Encoding` that are understood, in lower case.
  static let known: Set = ["gzip", "x-gzip", "deflate"]
}

#if HTTP
  internal import CZlib

  extension ContentCoding {
    enum Failure: Error {
      case damaged
      /// The decoded content is longer than the limit.
      case tooLarge
      case cancelled
    }

    /// The decoded content. Gzip may come in several members, one after the other (RFC 1952 section 2.2).
    ///
    /// - Parameter isPrefix: True when a beginning is enough: up to the limit, and as far as the content can
    ///   be decoded.
    static func decoded(
      _ bytes: [UInt8], limit: Int, isPrefix: Bool
    ) throws(Failure) -> [UInt8] {
      guard !bytes.isEmpty else { return [] }
      // zlib keeps the address of this value, so it must not move.
      let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      unsafe stream.initialize(to: z_stream())
      defer { unsafe stream.deallocate() }
      // The window is the largest, 32 KiB. Adding 32 lets zlib tell gzip and zlib apart by their first bytes.
      guard unsafe freshstore_inflate_init(stream, 15 + 32) == Z_OK else { throw .damaged }
      defer { unsafe _ = inflateEnd(stream) }
      var (decoded, room) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
      var (code, read, written) = (Z_OK, 0, 0)
      while true {
        guard !Task.isCancelled else { throw .cancelled }
        let part = bytes[read...].prefix(1 << 20)
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
        guard decoded.count <= limit else {
          guard isPrefix else { throw .tooLarge }
          return Array(decoded.prefix(limit))
        }
        switch code {
        case Z_STREAM_END:
          // Some servers pad the content with zeros.
          if read == bytes.count || bytes[read...].allSatisfy({ $0 == 0 }) { return decoded }
          guard unsafe inflateReset(stream) == Z_OK else { throw .damaged }
        case Z_OK where read < bytes.count || written == room.count: continue
        default:
          guard isPrefix else { throw .damaged }
          return decoded
        }
      }
    }
  }
#endif
