@testable import Reachability

/// The laws that ``RouteTable`` keeps for any text, when it is asked for one address.
struct RouteFileLaws {
  let target: IPAddress
  let text: [UInt8]

  /// The laws for `/proc/net/route`.
  static func checkIPv4(_ text: [UInt8]) {
    let origin: UInt32 = 0xCB00_7109
    let neighbour: UInt32 = 0xC000_0201
    // One address an input keeps the fuzzer fast; both lengths come up soon enough.
    RouteFileLaws(target: .v4(text.count.isMultiple(of: 2) ? origin : neighbour), text: text)
      .check()
  }

  /// The laws for `/proc/net/ipv6_route`.
  static func checkIPv6(_ text: [UInt8]) {
    let origin: UInt128 = 0x2001_0DB8_0009 << 80 | 9
    let neighbour: UInt128 = 0x2001_0DB8_0001 << 80 | 1
    RouteFileLaws(target: .v6(text.count.isMultiple(of: 2) ? origin : neighbour), text: text)
      .check()
  }

  private func check() {
    let whole = answer(in: text)
    law("a complete text decides", whole != .incomplete)
    law("the same text has the same answer", answer(in: text) == whole)
    law("a newline at the end changes nothing", answer(in: text + "\n".utf8) == whole)
    law("a line that is no route changes nothing", answer(in: text + "\nva 0 0\n".utf8) == whole)
    law("the text twice says the same", answer(in: text + "\n".utf8 + text) == whole)
    law("the width of blanks changes nothing", answer(in: withWiderBlanks) == whole)
    checkLineInFront(whole)
    for count in Set([text.count, max(text.count - 1, 0), text.count / 2]) {
      checkCut(at: count, whole)
    }
    checkEntries()
  }

  /// A route to the target alone, before all others: nothing outranks it.
  private func checkLineInFront(_ whole: RouteTable.Answer) {
    let usable = answer(in: Self.line(to: target, isUsable: true) + text)
    law("a usable host route decides", usable == .route)
    let rejecting = answer(in: Self.line(to: target, isUsable: false) + text)
    // In the IPv6 file a route that rejects may belong to a table no rule leads to.
    let expected: RouteTable.Answer = if case .v4 = target { .noRoute } else { whole }
    law("a rejecting host route decides for IPv4 only", rejecting == expected)
  }

  /// A truncated text proves no lack of a route, and its last line may mean something else.
  private func checkCut(at count: Int, _ whole: RouteTable.Answer) {
    let part = Array(text.prefix(count))
    let cut = RouteTable.answer(for: target, in: part, isComplete: false)
    law("a text cut off never proves the lack of a route", cut != .noRoute)
    let lines = part.lastIndex(of: UInt8(ascii: "\n")).map { Array(part[...$0]) } ?? []
    law(
      "a text cut off shows the routes of its whole lines",
      (cut == .route) == (answer(in: lines) == .route))
    if case .v6 = target, cut == .route {
      law("the rest of the IPv6 file takes no route away", whole == .route)
    }
  }

  private func checkEntries() {
    let entries = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
      if case .v4 = target { RouteEntry(ipv4: line) } else { RouteEntry(ipv6: line) }
    }
    for (entry, next) in zip(entries, entries.dropFirst()) {
      law("a route covers its own destination", entry.covers(entry.destination))
      law("a route does not outrank itself", !entry.outranks(entry))
      let isLonger = entry.mask > next.mask
      let isDecided = entry.mask != next.mask
      law("the longer mask outranks", !isDecided || entry.outranks(next) == isLonger)
    }
  }

  private func answer(in text: [UInt8]) -> RouteTable.Answer {
    RouteTable.answer(for: target, in: text, isComplete: true)
  }

  private var withWiderBlanks: [UInt8] {
    text.flatMap { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") ? [$0, 9, 32] : [$0] }
  }

  private static func line(to target: IPAddress, isUsable: Bool) -> [UInt8] {
    let line =
      switch target {
      case .v4(let value):
        // The kernel prints the word in network order as a number of the machine.
        "va \(hex(value.bigEndian)) 00000000 \(isUsable ? "0005" : "0205") 0 0 0 FFFFFFFF 0 0 0\n"
      case .v6(let value):
        "\(hex(value)) 80 \(hex(UInt128(0))) 00 \(hex(UInt128(0))) 00000000 00000001 00000000 "
          + "\(isUsable ? "00000005" : "00200205") va\n"
      }
    return Array(line.utf8)
  }

  private static func hex(_ number: some FixedWidthInteger & UnsignedInteger) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
  }
}
