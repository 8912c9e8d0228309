internal import Testing

@testable import FreshGateway

@Suite struct PeerNetworkTests {
  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
    ("10.1.2.3/8", "10.9.9.9", true), ("192.0.2.0/23", "192.0.3.255", true),
    ("192.0.2.0/23", "192.0.4.0", false), ("192.0.2.1", "192.0.2.1", true),
    ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1/32", "192.0.2.1", true),
    ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false),
    ("2001:db8::/32", "2001:db8:1::1", true), ("2001:db8::/32", "2001:db9::1", false),
    ("2001:db8::8000/113", "2001:db8::ffff", true), ("::/0", "::1", true),
    ("::/0", "10.0.0.1", false), ("::1", "::1", true),
    // A socket for both versions shows an IPv4 peer in this form.
    ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("10.0.0.0/8", "-", false),
  ])
  func `a network has the addresses that begin as it does`(
    network: String, address: String, isAmong: Bool
  ) throws {
    #expect(try #require(PeerNetwork(network)).contains(address) == isAmong)
  }

  @Test(arguments: [
    "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/+8", "10/8",
    "::1/129", "localhost", "10.0.0.0/8 ", "[::1]", "10.0.0.0/255.0.0.0", "10.0.0.1\0",
  ])
  func `what is no network is none`(text: String) {
    #expect(PeerNetwork(text) == nil)
  }
}
