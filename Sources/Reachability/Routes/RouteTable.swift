/// Reads the text of `/proc/net/route` or `/proc/net/ipv6_route` about one address.
enum RouteTable {
  /// The answer of a table about one address.
  enum Answer: Equatable {
    case route
    case noRoute
    /// The text ends before the table does, so that a missing route proves nothing.
    case incomplete
  }

  /// Judges the address by the text of the table of its family.
  ///
  /// An IPv4 route is chosen as the kernel does, by the longest covering destination and then the smallest metric.
  /// The IPv6 file mixes the routes of all tables, and a route that rejects may belong to a table that no rule
  /// leads to. So any usable route counts there.
  ///
  /// A truncated text counts only where it shows a usable route. Its last line is not read, because it may lack
  /// decisive digits.
  ///
  /// - Parameter onLinkOnly: True when only an IPv6 route without a router counts.
  static func answer(
    for target: IPAddress, onLinkOnly: Bool = false, in text: [UInt8], isComplete: Bool
  ) -> Answer {
    var lines = text.split(separator: UInt8(ascii: "\n"))
    if !isComplete, text.last != UInt8(ascii: "\n") { lines = lines.dropLast() }
    let best: RouteEntry? =
      switch target {
      case .v4(let address):
        first(lines.compactMap { RouteEntry(ipv4: $0) }, covering: UInt128(address))
      case .v6(let address):
        first(
          lines.compactMap { RouteEntry(ipv6: $0) }.filter {
            onLinkOnly ? $0.isOnLink : $0.isUsable
          }, covering: address)
      }
    if best?.isUsable == true { return .route }
    return isComplete ? .noRoute : .incomplete
  }

  private static func first(_ routes: [RouteEntry], covering address: UInt128) -> RouteEntry? {
    routes.filter { $0.covers(address) }.min { $0.outranks($1) }
  }
}

/// One line of the kernel's routing tables in `/proc/net`. Accepts any bytes: anything but a route is `nil`.
struct RouteEntry: Equatable {
  /// The destination's bits, an IPv4 address in the lowest 32.
  let destination: UInt128
  /// The bits that count, an IPv4 mask in the lowest 32.
  let mask: UInt128
  /// The smallest wins among routes with the same mask.
  let metric: UInt32
  /// False for a route that refuses or drops its packets.
  let isUsable: Bool
  /// True for a route without a router; read for IPv6 only.
  let isOnLink: Bool

  private static let up: UInt128 = 0x1
  private static let gateway: UInt128 = 0x2
  private static let reject: UInt128 = 0x200

  /// Reads a line of `/proc/net/route`, whose words are addresses in network order printed as numbers of the machine.
  ///
  /// Blackhole and throw routes carry no reject flag; only the interface `*` shows them. The gateway flag says
  /// nothing, because a tunnel's default route has none.
  init?(ipv4 line: some Collection<UInt8>) {
    let fields = Self.fields(line)
    guard fields.count >= 8,
      let destination = Self.word(fields[1]), let mask = Self.word(fields[7]),
      let flags = Self.hexadecimal(fields[3]), let metric = Self.decimal(fields[6])
    else { return nil }
    self.destination = UInt128(destination)
    self.mask = UInt128(mask)
    self.metric = metric
    isOnLink = false
    isUsable =
      Self.carries(flags, over: fields[0], self.mask)
      && !fields[0].elementsEqual([UInt8(ascii: "*")])
  }

  /// Reads a line of `/proc/net/ipv6_route`.
  ///
  /// Every host has a `::/0` that rejects, for the tables' null entry, so such a line means nothing.
  init?(ipv6 line: some Collection<UInt8>) {
    let fields = Self.fields(line)
    guard fields.count >= 10, fields[0].count == 32,
      let destination = Self.hexadecimal(fields[0]),
      let length = Self.hexadecimal(fields[1]), length <= 128,
      let metric = Self.hexadecimal(fields[5]).flatMap(UInt32.init(exactly:)),
      let flags = Self.hexadecimal(fields[8])
    else { return nil }
    self.destination = destination
    self.mask = length == 0 ? 0 : UInt128.max << (128 - length)
    self.metric = metric
    isUsable = Self.carries(flags, over: fields[9], self.mask)
    isOnLink = isUsable && flags & Self.gateway == 0 && length > 0
  }

  /// A default route over the loopback interface is a next-hop object that drops everything.
  private static func carries(
    _ flags: UInt128, over interface: some Collection<UInt8>, _ mask: UInt128
  ) -> Bool {
    flags & up != 0 && flags & reject == 0 && !(mask == 0 && interface.elementsEqual("lo".utf8))
  }

  /// True when the address lies in this route's destination.
  func covers(_ address: UInt128) -> Bool {
    address & mask == destination & mask
  }

  /// True when the kernel prefers this route to the other: the longer mask, then the lower metric.
  func outranks(_ other: RouteEntry) -> Bool {
    mask == other.mask ? metric < other.metric : mask > other.mask
  }
}

extension RouteEntry {
  /// The header has a doubled tab and lines are padded, so any run of blanks separates.
  private static func fields<Line: Collection<UInt8>>(_ line: Line) -> [Line.SubSequence] {
    line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  private static func word(_ digits: some Collection<UInt8>) -> UInt32? {
    guard digits.count == 8 else { return nil }
    return hexadecimal(digits).flatMap(UInt32.init(exactly:)).map(UInt32.init(bigEndian:))
  }

  private static func decimal(_ digits: some Collection<UInt8>) -> UInt32? {
    number(digits, radix: 10, maximumDigits: 10).flatMap(UInt32.init(exactly:))
  }

  private static func hexadecimal(_ digits: some Collection<UInt8>) -> UInt128? {
    number(digits, radix: 16, maximumDigits: 32)
  }

  private static func number(
    _ digits: some Collection<UInt8>, radix: UInt128, maximumDigits: Int
  ) -> UInt128? {
    guard !digits.isEmpty, digits.count <= maximumDigits else { return nil }
    var value: UInt128 = 0
    for digit in digits {
      guard let figure = Character(Unicode.Scalar(digit)).hexDigitValue, figure < radix else {
        return nil
      }
      value = value * radix + UInt128(figure)
    }
    return value
  }
}
