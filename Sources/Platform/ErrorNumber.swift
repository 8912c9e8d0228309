/// An error number of the C library, which can say its own name.
package struct ErrorNumber: Error, Equatable, CustomStringConvertible {
  package let code: Int32

  package init(_ code: Int32) {
    self.code = code
  }

  /// The kernel accepted a request and did not answer it.
  package static let noAnswer = ErrorNumber(EPROTO)

  /// The error of the calling thread's last failed call.
  package static var last: ErrorNumber { ErrorNumber(errno) }

  /// The symbol of an error that a probe is likely to meet, the number of any other.
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
