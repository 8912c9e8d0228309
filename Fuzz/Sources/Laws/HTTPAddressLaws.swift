@testable import FreshHTTP

/// The laws that addresses, the references of redirects and the variables that name proxies keep
/// for any text.
struct HTTPAddressLaws {
  private static let secret = "S3cr3t"

  let text: String
  let reference: String
  let proxy: String
  let exceptions: String

  /// The laws for four lines: an address, a reference, a proxy, and the hosts reached without it.
  static func check(_ input: [UInt8]) {
    let lines = input.split(
      separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    func line(_ number: Int) -> String { number < lines.count ? lines[number] : "" }
    HTTPAddressLaws(text: line(0), reference: line(1), proxy: line(2), exceptions: line(3)).check()
  }

  private func check() {
    checkRedaction()
    let settings = settings(exceptions: exceptions)
    let none = self.settings(exceptions: "x, *")
    law("what is reached without a proxy does not make it one", (settings == nil) == (none == nil))
    guard let address = read(text) else { return }
    var addresses = [address]
    if let target = resolve(reference, against: address) {
      // A reference without a path keeps that of its base (RFC 3986 section 5.2.2).
      if target.path != address.path {
        law("an address resolves to itself", resolve(target.text, against: address) == target)
        law(
          "a path that is resolved leads nowhere back",
          !target.path.split(separator: "/").contains { $0 == "." || $0 == ".." })
      }
      addresses.append(target)
    }
    for address in addresses {
      check(address)
      if let none { law("a star is everything", none.route(to: address) == .direct) }
      guard let settings else { continue }
      let route = settings.route(to: address)
      law(
        "the way is one of those that are named",
        [.direct, settings.http, settings.https].contains(route))
      if ["localhost", "[::1]", "127.0.0.1"].contains(address.host) {
        law("nobody asks a proxy for this machine", route == .direct)
      }
    }
  }

  // MARK: Addresses

  private func read(_ text: String) -> HTTPAddress? {
    told { () throws(HTTPAddress.Refusal) in try HTTPAddress(text) }
  }

  private func resolve(_ reference: String, against base: HTTPAddress) -> HTTPAddress? {
    told { () throws(HTTPAddress.Refusal) in
      try RelativeReference.resolve(reference, against: base)
    }
  }

  private func told(
    _ body: () throws(HTTPAddress.Refusal) -> HTTPAddress
  ) -> HTTPAddress? {
    do throws(HTTPAddress.Refusal) {
      return try body()
    } catch {
      if case .syntax(let words) = error {
        law("a refusal says something", !words.isEmpty)
        law("a refusal does nothing to a terminal", words.isHarmless)
      }
      return nil
    }
  }

  private func check(_ address: HTTPAddress) {
    law("an address reads as it was written", read(address.text) == address)
    law(
      "an address is printable ASCII without spaces",
      address.text.utf8.allSatisfy { 0x21...0x7E ~= $0 })
    law("a path begins with a slash", address.path.hasPrefix("/"))
    law("a port is one", 1...65535 ~= address.port)
    law("a host is there", !address.bareHost.isEmpty)
    law("a fragment is not sent", !address.text.contains("#"))
    law(
      "an origin is an address",
      read(address.origin).map { $0.origin == address.origin } ?? false)
  }

  // MARK: Secrets

  private func checkRedaction() {
    for text in [
      "https://me:\(Self.secret)@\(text)", "https://example.org/?\(text)\(Self.secret)",
      "https://example.org/\(text)?\(Self.secret)", "https://example.org/#\(Self.secret)\(text)",
      "\(text)?\(Self.secret)", "\(text)#\(Self.secret)", "//\(Self.secret)@\(text)",
    ] where !self.text.contains(Self.secret) {
      let redacted = HTTPAddress.redacted(text)
      law("what may be secret is left out", !redacted.contains(Self.secret))
      law("what is left does nothing to a terminal", redacted.isHarmless)
    }
  }

  // MARK: Proxies

  private func settings(exceptions: String) -> ProxySettings? {
    do throws(HTTPFetchError) {
      return try ProxySettings(environment: ["all_proxy": proxy, "no_proxy": exceptions])
    } catch {
      law("a refusal names the variable", error.description.contains("all_proxy"))
      law("a refusal does nothing to a terminal", error.description.isHarmless)
      return nil
    }
  }
}
