extension IPAddress {
  /// Addresses that stand for "anywhere" when the source's own are not known: a root name server
  /// of the Internet, one for each family. They are only looked up, nothing is sent to them.
  public static let wellKnown: [IPAddress] = [
    .v4(0xC629_0004),
    .v6(0x2001_0503_BA3E_0000_0000_0000_0002_0030),
  ]
}
