// Only this file selects the C library. A file that imports `Platform` gets all of it, and writes `Platform.send`
// where a name of its own shadows the function.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif

/// An error number of the C library, with its symbol.
package struct ErrorNumber: Error, Equatable, CustomStringConvertible {
  package let code: Int32

  package init(_ code: Int32) {
    self.code = code
  }

  /// The kernel accepted a request and did not answer it.
  package static let noAnswer = ErrorNumber(EPROTO)

  /// The error of the calling thread's last failed call.
  package static var last: ErrorNumber { ErrorNumber(errno) }

  /// The symbol of an error that a probe is likely to meet; the number of any other error.
  package var description: String {
    switch code {
    case EACCES: "EACCES"
    case EADDRNOTAVAIL: "EADDRNOTAVAIL"
    case EAFNOSUPPORT: "EAFNOSUPPORT"
    case EHOSTUNREACH: "EHOSTUNREACH"
    case EINVAL: "EINVAL"
    case EMFILE: "EMFILE"
    case ENETUNREACH: "ENETUNREACH"
    case ENFILE: "ENFILE"
    case ENOENT: "ENOENT"
    case ENOSYS: "ENOSYS"
    case ENOBUFS: "ENOBUFS"
    case EPERM: "EPERM"
    case EPROTO: "EPROTO"
    default: "error \(code)"
    }
  }
}

/// The kinds and flags of socket(2), which glibc declares as an enumeration and other C libraries declare as numbers.
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

/// The treatment of unsent data when a socket is closed (socket(7)).
package enum Linger {
  /// A close resets the connection, so that the peer sees that data is missing.
  package static var reset: linger { linger(l_onoff: 1, l_linger: 0) }
}

/// The number of files and sockets that the process may have open at once.
package enum OpenFileLimit {
  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif

  /// Raises the soft limit to `count`, or to the hard limit when that is lower; never lowers it.
  ///
  /// Returns the limit that holds then; throws where the system does not say.
  package static func raise(to count: Int) throws(ErrorNumber) -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { throw .last }
    let wanted = rlim_t(max(0, count))
    guard limit.rlim_cur < wanted else { return Int(clamping: limit.rlim_cur) }
    var raised = limit
    raised.rlim_cur = min(wanted, limit.rlim_max)
    guard unsafe setrlimit(resource, &raised) == 0 else { return Int(clamping: limit.rlim_cur) }
    return Int(clamping: raised.rlim_cur)
  }
}
