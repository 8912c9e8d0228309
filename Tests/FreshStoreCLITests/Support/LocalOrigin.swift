#if CommandLine
  import Foundation
  import Glibc

  /// An origin in a network namespace whose only network is its loopback. It answers one request
  /// with `value`.
  struct LocalOrigin: Sendable {
    /// An operation that the origin could not perform.
    struct Failure: Error {
      let call: String
      let number: Int32
    }

    let port: UInt16
    /// The file by which another process enters the namespace, until the request is answered.
    let namespace: String

    static func start() async throws -> LocalOrigin {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          do {
            try enterNewNetwork()
            let (listener, port) = try listen()
            let thread = try FileManager.default.destinationOfSymbolicLink(
              atPath: "/proc/thread-self")
            continuation.resume(
              returning: LocalOrigin(port: port, namespace: "/proc/\(thread)/ns/net"))
            answer(listener)
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
    }

    private static func enterNewNetwork() throws {
      typealias Unshare = @convention(c) (Int32) -> Int32
      guard let symbol = unsafe dlsym(nil, "unshare") else {
        throw Failure(call: "unshare", number: ENOSYS)
      }
      let newNetwork: Int32 = 0x4000_0000
      guard unsafe unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0,
        unsafe system("ip link set lo up") == 0
      else { throw Failure(call: "unshare", number: errno) }
    }

    private static func listen() throws -> (listener: Int32, port: UInt16) {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      // A client may never come.
      var limit = timeval(tv_sec: 60, tv_usec: 0)
      let size = socklen_t(MemoryLayout<timeval>.size)
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let status = unsafe withUnsafeMutableBytes(of: &address) { bytes in
        let generic = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        guard unsafe setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &limit, size) == 0,
          unsafe bind(listener, generic, length) == 0, Glibc.listen(listener, 1) == 0
        else { return Int32(-1) }
        return unsafe getsockname(listener, generic, &length)
      }
      guard status == 0 else { throw Failure(call: "listen", number: errno) }
      return (listener, UInt16(bigEndian: address.sin_port))
    }

    private static func answer(_ listener: Int32) {
      let connection = accept(listener, nil, nil)
      var request = [UInt8](repeating: 0, count: 4096)
      _ = unsafe recv(connection, &request, request.count, 0)
      let response = Array(
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nvalue".utf8)
      _ = unsafe send(connection, response, response.count, Int32(MSG_NOSIGNAL))
      close(connection)
      close(listener)
    }
  }
#endif
