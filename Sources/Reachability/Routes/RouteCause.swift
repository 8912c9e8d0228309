/// The reason, by the kernel's routing, why no packet can leave.
///
/// The texts are literals, so that reporting the cause allocates nothing on the path of a read.
enum RouteCause: UInt8, CaseIterable, CustomStringConvertible {
  case noRoute
  case unreachable
  case blackhole
  case prohibited
  case noAddress
  case linkDown
  case linkLocalSource

  /// The cause an error number of the routing tables stands for; `nil` for an error of the
  /// question.
  init?(error: Int32) {
    // The numbers are those of Linux, which alone speaks netlink.
    switch error {
    case 101: self = .noRoute
    case 113: self = .unreachable
    case 22: self = .blackhole
    case 13: self = .prohibited
    case 99: self = .noAddress
    default: return nil
    }
  }

  /// The cause a route that carries nothing stands for (`rtm_type`); `nil` for one that does.
  init?(kind: UInt8) {
    switch kind {
    case 6: self = .blackhole
    case 7: self = .unreachable
    case 8: self = .prohibited
    case 9: self = .noRoute
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .noRoute: "no route (netlink, ENETUNREACH)"
    case .unreachable: "an unreachable route (netlink, EHOSTUNREACH)"
    case .blackhole: "a blackhole route (netlink, EINVAL)"
    case .prohibited: "a prohibit route (netlink, EACCES)"
    case .noAddress: "no address of its family (netlink, EADDRNOTAVAIL)"
    case .linkDown: "no carrier (netlink, LINKDOWN)"
    case .linkLocalSource: "only a link-local source address (netlink)"
    }
  }
}
