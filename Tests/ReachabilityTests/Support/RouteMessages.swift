import Strategies

@testable import Reachability

/// Netlink messages as a kernel sends them, built by hand for the parsers' tests.
enum RouteMessages {
  static func attribute(_ kind: UInt16, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(native: UInt16(4 + payload.count))
    bytes.append(native: kind)
    bytes += payload
    return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  static func message(_ kind: UInt16, _ sequence: UInt32, _ body: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(native: UInt32(16 + body.count))
    bytes.append(native: kind)
    bytes.append(native: UInt16(0))
    bytes.append(native: sequence)
    bytes.append(native: UInt32(0))
    return bytes + body
  }

  static func error(_ number: Int32, sequence: UInt32 = 1) -> [UInt8] {
    var body: [UInt8] = []
    body.append(native: UInt32(bitPattern: 0 &- number))
    return message(2, sequence, body + [UInt8](repeating: 0, count: 16))
  }

  static func route(
    kind: UInt8 = 1, flags: UInt32 = 0, attributes: [UInt8] = [], sequence: UInt32 = 1
  ) -> [UInt8] {
    var body: [UInt8] = [2, 0, 0, 0, 254, 3, 0, kind]
    body.append(native: flags)
    return message(24, sequence, body + attributes)
  }

  static func nextHop(
    interface: UInt32? = nil, flags: UInt32 = 0, group: [UInt32] = [], attributes: [UInt8] = []
  ) -> [UInt8] {
    var body: [UInt8] = [2, 253, 0, 0]
    body.append(native: flags)
    if let interface { body += attribute(5, number(interface)) }
    let members = group.flatMap { number($0) + [UInt8](repeating: 0, count: 4) }
    if !group.isEmpty { body += attribute(3, [0, 0]) + attribute(2, members) }
    return message(104, 1, body + attributes)
  }

  static func hop(interface: UInt32, flags: UInt8, attributes: [UInt8] = []) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(native: UInt16(8 + attributes.count))
    bytes += [flags, 0]
    bytes.append(native: interface)
    return bytes + attributes
  }

  static func number(_ value: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(native: value)
    return bytes
  }
}
