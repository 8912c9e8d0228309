@testable import Reachability

/// The laws that ``RouteReply`` keeps for any datagram.
struct NetlinkReplyLaws {
  let datagram: [UInt8]
  let sequence: UInt32

  /// The laws for a datagram, as the answer to the question its first message names and to the
  /// first question of a socket.
  static func check(_ datagram: [UInt8]) {
    let named: UInt32 = datagram[...].native(at: 8) ?? 1
    for sequence in Set([named, 1]) {
      NetlinkReplyLaws(datagram: datagram, sequence: sequence).check()
    }
  }

  private func check() {
    let whole = reply(to: datagram)
    law("the same bytes have the same reply", reply(to: datagram) == whole)
    law("a message to others in front changes nothing", reply(to: toOthers + datagram) == whole)
    for count in stride(from: 0, to: datagram.count, by: max(datagram.count / 64, 1)) {
      let part = reply(to: Array(datagram.prefix(count)))
      law("a part says what the whole says, or nothing", part == nil || part == whole)
    }
    guard let whole else { return }
    law("what follows a reply changes nothing", reply(to: datagram + [8, 0, 0, 0, 1]) == whole)
    checkSize(of: whole)
  }

  private func checkSize(of reply: RouteReply) {
    switch reply {
    case .route(let route):
      law("a next hop takes eight bytes", route.hops.count * 8 <= datagram.count)
      let isDown = !route.hops.isEmpty && route.hops.allSatisfy(\.isDown)
      law("hops that are down bring the route down", route.isLinkDown || !isDown)
    case .nextHop(let object):
      law("a member takes eight bytes", object.members.count * 8 <= datagram.count)
    case .refused(let error):
      law("an acknowledgement refuses nothing", error != 0)
    }
  }

  private func reply(to bytes: [UInt8]) -> RouteReply? {
    RouteReply(bytes, sequence: sequence)
  }

  /// A header alone (`NLMSG_NOOP`), with another question's number.
  private var toOthers: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(native: UInt32(16))
    bytes.append(native: UInt32(1))
    bytes.append(native: sequence ^ 1)
    bytes.append(native: UInt32(0))
    return bytes
  }
}
