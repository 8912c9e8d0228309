/// The kinds and flags of socket(2), which glibc declares as an enumeration and others as numbers.
package enum SocketKind {
  #if canImport(Glibc)
    package static let stream = Int32(SOCK_STREAM.rawValue)
    package static let datagram = Int32(SOCK_DGRAM.rawValue)
    package static let raw = Int32(SOCK_RAW.rawValue)
    package static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
    package static let nonBlocking = Int32(SOCK_NONBLOCK.rawValue)
  #else
    package static let stream = SOCK_STREAM
    package static let datagram = SOCK_DGRAM
    package static let raw = SOCK_RAW
    #if canImport(Musl)
      package static let closeOnExec = SOCK_CLOEXEC
      package static let nonBlocking = SOCK_NONBLOCK
    #else
      // Darwin sets both by fcntl(2) once the socket exists.
      package static let closeOnExec: Int32 = 0
      package static let nonBlocking: Int32 = 0
    #endif
  #endif
}
