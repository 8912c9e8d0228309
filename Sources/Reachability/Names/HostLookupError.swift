/// The reason why a host's name gave no address.
package enum HostLookupError: Error, Hashable, CustomStringConvertible {
  /// There is no name to look up.
  case emptyName
  /// The system's resolver knows no address for the name, for the reason it gives.
  case notFound(String, String)
  /// The lookup is still under way and no caller waits for it any longer.
  case noAnswer(String)

  /// There is no thread to look the name up on, for the given reason.
  case noThread(String, String)

  package var description: String {
    switch self {
    case .emptyName: "the name of the host is empty"
    case .notFound(let host, let reason): "\(host): \(reason)"
    case .noAnswer(let host): "\(host): no answer of the resolver in time"
    case .noThread(let host, let reason): "no thread to look up \(host) on: \(reason)"
    }
  }
}
