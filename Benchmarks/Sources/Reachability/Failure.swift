/// The error of a part that could not be measured.
enum Failure: Error, CustomStringConvertible {
  /// This process may not make network namespaces, or lacks the tool to fill them.
  case noNamespaces(String)
  /// GLib's library is missing.
  case noGLib
  /// A step had another result than it must have.
  case failed(String)

  var description: String {
    switch self {
    case .noNamespaces(let cause): "no network namespaces (\(cause))"
    case .noGLib: "GLib is not installed"
    case .failed(let cause): cause
    }
  }
}
