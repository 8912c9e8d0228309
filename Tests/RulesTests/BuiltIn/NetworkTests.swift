import Rules
import Testing

@Suite struct NetworkTests {
  @Test(arguments: [
    ("0.0.0.0", true), ("255.255.255.255", true), ("256.1.1.1", false), ("1.2.3", false),
    ("1.2.3.4.5", false), ("01.2.3.4", false), ("1.2.3.04", false), ("1.2.3.4 ", false),
    ("1.2.3.", false), ("", false), ("0x1.2.3.4", false), ("١.2.3.4", false), ("1..2.3", false),
  ])
  func `addresses of version 4`(text: String, isKept: Bool) {
    #expect(Rule.ipAddress(.v4).isKept(by: text) == isKept)
    #expect(Rule.ipAddress(.any).isKept(by: text) == isKept)
    #expect(!Rule.ipAddress(.v6).isKept(by: text))
  }

  @Test(arguments: [
    ("::", true), ("::1", true), ("1::", true), ("1:2:3:4:5:6:7:8", true),
    ("1:2:3:4:5:6:7::", true),
    ("::2:3:4:5:6:7:8", true), ("1::8", true), ("::ffff:1.2.3.4", true),
    ("1:2:3:4:5:6:1.2.3.4", true),
    ("ABCD:ef01::", true), ("1:2:3:4:5:6:7", false), ("1:2:3:4:5:6:7:8:9", false),
    ("1:2:3:4:5:6:7:8::", false), ("::1:2:3:4:5:6:7:8", false), ("1::2::3", false), (":::", false),
    (":1", false), ("1:", false), ("12345::", false), ("g::", false),
    ("1:2:3:4:5:6:7:1.2.3.4", false),
    ("::1.2.3", false), ("::1.2.3.4:5", false), ("fe80::1%eth0", false), ("[::1]", false),
    (":", false),
    ("1:2:3:4:5:6:7:8:", false), ("::1:2:3:4:5:6:1.2.3.4", false),
  ])
  func `addresses of version 6`(text: String, isKept: Bool) {
    #expect(Rule.ipAddress(.v6).isKept(by: text) == isKept)
    #expect(Rule.ipAddress(.any).isKept(by: text) == isKept)
    #expect(!Rule.ipAddress(.v4).isKept(by: text))
  }

  @Test(arguments: [
    ("10.0.0.0/8", true), ("10.0.0.1/0", true), ("1.2.3.4/32", true), ("1.2.3.4/33", false),
    ("1.2.3.4/", false), ("1.2.3.4", false), ("1.2.3.4/08", false), ("::/0", true),
    ("2001:db8::/128", true), ("::/129", false), ("::/99999999999999999999", false),
    ("::/1 ", false),
  ])
  func `networks`(text: String, isKept: Bool) {
    #expect(Rule.ipNetwork().isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("example.com", true), ("example", false), ("a.b.c", true), ("example.com.", false),
    ("1.2", false), ("ex ample.com", false), ("", false), ("ex_ample.com", false),
  ])
  func `domain names`(text: String, isKept: Bool) {
    #expect(Rule.domainName().isKept(by: text) == isKept)
  }

  @Test func `a domain name of one label or of 253 octets is accepted on request`() {
    let label = String(repeating: "a", count: 63)
    #expect(Rule.domainName(labels: 1).isKept(by: "localhost"))
    #expect(Rule.domainName().isKept(by: "\(label).\(label).\(label).\(label.dropLast(2))"))
    #expect(!Rule.domainName().isKept(by: "\(label).\(label).\(label).\(label.dropLast())"))
  }

  @Test(arguments: [
    ("+3225550100", true), ("+6834000", true), ("+123456", false), ("+1234567890123456", false),
    ("+123456789012345", true), ("+0123456789", false), ("3225550100", false), ("+", false),
    ("+32 2 555 01 00", false), ("+32255501a0", false), ("+٣٢٢٥٥٥٠١٠٠", false), ("", false),
  ])
  func `telephone numbers`(text: String, isKept: Bool) {
    #expect(Rule.phone().isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("+32 2 555-01.00", true), ("+32  25550100", false), ("+ 3225550100", false),
    ("+3225550100-", false), ("+3225550100", true),
  ])
  func `telephone numbers with separators`(text: String, isKept: Bool) {
    #expect(Rule.phone(separators: true).isKept(by: text) == isKept)
  }
}
