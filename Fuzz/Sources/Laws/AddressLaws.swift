@testable import Reachability

/// The laws that ``IPAddress`` keeps for any input.
enum AddressLaws {
  /// Reads the input as a text and as the bytes of an address.
  static func check(_ input: [UInt8]) {
    checkText(String(decoding: input, as: UTF8.self))
    let number = input.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    checkAddress(.v4(UInt32(truncatingIfNeeded: number)))
    checkAddress(.v6(number))
  }

  private static func checkText(_ text: String) {
    let address = IPAddress(text)
    law("the same text gives the same address", IPAddress(text) == address)
    guard let address else { return }
    let isWritten = text.utf8.allSatisfy { "0123456789ABCDEFabcdef.:".utf8.contains($0) }
    law("an address is written in digits, dots and colons", isWritten)
    law("a dotted address without a colon is IPv4", address.isIPv4 == !text.contains(":"))
  }

  private static func checkAddress(_ address: IPAddress) {
    law("a description reads as its address", IPAddress(address.description) == address)
    law("what is routed stays so", address.routed.routed == address.routed)
    law("no address is loopback and link-local", !(address.isLoopback && address.isLinkLocal))
    let destination = Attribute(NetlinkAttribute.destination, address)
    let source = Attribute(NetlinkAttribute.source, address)
    check(.entry(address), holds: [destination])
    check(.entry(address, from: address), holds: [destination, source])
    check(.resolved(address), holds: [destination])
  }

  private static func check(_ question: RouteQuestion, holds attributes: [Attribute]) {
    let message = question.bytes(sequence: 1)
    let length: UInt32? = message[...].native(at: 0)
    law("a question tells its length", length.map(Int.init) == message.count)
    let found = NetlinkAttribute.list(in: message.dropFirst(28)) ?? []
    law("a question holds its addresses", found.map(Attribute.init) == attributes)
    law("a question is no answer to itself", RouteReply(message, sequence: 1) == nil)
  }

  private struct Attribute: Equatable {
    let kind: UInt16
    let number: UInt128?

    init(_ kind: UInt16, _ address: IPAddress) {
      self.kind = kind
      number = address.number
    }

    init(_ attribute: NetlinkAttribute) {
      kind = attribute.kind
      number = attribute.payload.networkNumber
    }
  }
}

extension IPAddress {
  fileprivate var isIPv4: Bool {
    if case .v4 = self { true } else { false }
  }

  fileprivate var number: UInt128 {
    switch self {
    case .v4(let value): UInt128(value)
    case .v6(let value): value
    }
  }
}
