extension ProxySettings {
  /// The host that a request for an http or https address opens its connection to: that of the
  /// proxy where one is in force for the address, else the address's own. A name, or a numeric
  /// address without brackets.
  ///
  /// The targets of redirects are unknown before they are followed. Throws `badURL` and
  /// `unsupportedScheme`. Pure.
  package func connectionHost(for url: String) throws(HTTPFetchError) -> String {
    let address: HTTPAddress
    do {
      address = try HTTPAddress(url)
    } catch {
      throw HTTPFetchError(error, of: url)
    }
    return connectionHost(for: address)
  }

  /// The same for an address that was taken apart.
  package func connectionHost(for address: HTTPAddress) -> String {
    switch route(to: address) {
    case .direct: address.bareHost
    case .http(let host, _, _), .socks(let host, _): host
    }
  }
}
