import Reachability
import Strategies
import Testing

@Suite struct IPAddressTests {
  @Test(arguments: [
    ("192.0.2.1", IPAddress.v4(0xC000_0201)), ("0.0.0.0", .v4(0)),
    ("255.255.255.255", .v4(.max)), ("::", .v6(0)), ("::1", .v6(1)),
    ("2001:db8::2:30", .v6(0x2001_0DB8_0000_0000_0000_0000_0002_0030)),
    ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .v6(.max)),
  ])
  func `an address is parsed and written back unchanged`(
    text: String, address: IPAddress
  ) {
    #expect(IPAddress(text) == address)
    #expect(address.description == text)
  }

  @Test(arguments: [
    "", "localhost", "192.0.2", "192.0.2.256", "192.0.2.1 ", "fe80::1%eth0", "1:2:3", "::g",
    "[::1]", "\0", "::\0", "192.0.2.1\0.example",
  ])
  func `text that is not an address is refused`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test func `the well-known addresses are one of each family`() {
    #expect(IPAddress.wellKnown.map(\.description) == ["198.41.0.4", "2001:503:ba3e::2:30"])
  }
}
