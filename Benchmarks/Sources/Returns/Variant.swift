/// How the network goes and comes back.
enum Variant: String, CaseIterable {
  /// The other end of the cable is pulled: no carrier.
  case cable
  /// The only route to the origin is deleted.
  case route

  /// The words for the results.
  var name: String {
    switch self {
    case .cable: "the cable is pulled and put back"
    case .route: "the route is deleted and added"
    }
  }
}
