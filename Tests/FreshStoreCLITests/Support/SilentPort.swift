#if CommandLine
  import Dispatch
  import Glibc

  /// A port of the loopback address that accepts connections and never sends a byte.
  final class SilentPort: Sendable {
    struct Failure: Error {
      let number: Int32
    }

    let number: UInt16
    private let listener: Int32

    init() throws {
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let isListening = unsafe withUnsafeMutableBytes(of: &address) { [listener] bytes in
        let generic = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        return unsafe bind(listener, generic, length) == 0 && listen(listener, 8) == 0
          && getsockname(listener, generic, &length) == 0
      }
      number = UInt16(bigEndian: address.sin_port)
      guard isListening else { throw Failure(number: errno) }
    }

    deinit { close(listener) }

    /// Returns when a client has connected; the connection stays open.
    func connection() async {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { [listener] in
          _ = accept(listener, nil, nil)
          continuation.resume()
        }
      }
    }
  }
#endif
