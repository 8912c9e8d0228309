internal import Testing

@testable import FreshGateway

@Suite struct OwnAddressTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("localhost", "::1"),
    ("app.localhost", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("::1", "::1"),
    ("0:0:0:0:0:0:0:1", "::1"), ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
    ("localhost", "0.0.0.0"), ("127.0.0.5", "0.0.0.0"), ("0.0.0.0", "0.0.0.0"),
    ("localhost", "::"), ("127.0.0.1", "::"), ("::1", "::"), ("::", "::"),
  ])
  func `a host that is an address listened on leads there`(host: String, listener: String) {
    #expect(OwnAddress.leads(host, to: listener))
  }

  @Test(arguments: [
    ("127.0.0.1", "127.0.0.2"), ("localhost", "192.0.2.1"), ("localhost", "127.0.0.2"),
    ("192.0.2.2", "192.0.2.1"), ("::1", "127.0.0.1"), ("::1", "0.0.0.0"), ("192.0.2.1", "0.0.0.0"),
    ("example.org", "::"), ("localhost.example.org", "127.0.0.1"), ("127.0.0.1", ""),
  ])
  func `any other leads elsewhere, as far as that shows`(host: String, listener: String) {
    #expect(!OwnAddress.leads(host, to: listener))
  }
}
