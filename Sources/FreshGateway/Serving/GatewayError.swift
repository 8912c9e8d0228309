package import FreshHTTP
package import FreshStore

/// Why a gateway does not begin to serve.
package enum GatewayError: Error, Sendable, CustomStringConvertible {
  /// An option cannot be used; the text names the remedy.
  case badOption(String)
  /// A file cannot be read; the text names it.
  case file(String)
  /// The configuration of the way to origins cannot be used.
  case connection(HTTPFetchError)
  case store(StoreError)
  /// The address cannot be listened on.
  case listening(String)

  package var description: String {
    switch self {
    case .badOption(let words), .file(let words): words
    case .connection(let error): "\(error)"
    case .store(let error): "\(error)"
    case .listening(let words): words
    }
  }
}
