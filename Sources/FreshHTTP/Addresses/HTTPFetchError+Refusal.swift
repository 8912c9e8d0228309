extension HTTPFetchError {
  /// The error for a text that is no address that can be fetched.
  init(_ refusal: HTTPAddress.Refusal, of url: String) {
    self =
      switch refusal {
      case .scheme(let name): .unsupportedScheme(DisplayText.clean(name, limit: 40))
      case .syntax(let reason): .badURL(HTTPAddress.redacted(url), reason: reason)
      }
  }
}
