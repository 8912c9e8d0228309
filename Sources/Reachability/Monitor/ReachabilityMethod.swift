/// The method that answered, from the best to the worst.
public enum ReachabilityMethod: String, Sendable, Hashable, CaseIterable {
  /// The kernel's routing tables, over netlink, watched.
  case netlink
  /// A UDP `connect`, which chooses a route and sends nothing.
  case connect
  /// The files in which the kernel shows its routing tables.
  case routeFiles = "route-files"
  /// None answered; the state is unknown.
  case none
}
