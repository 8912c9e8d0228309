#if CommandLine
  internal import Reachability
  internal import Strategies

  /// The known state of the path to one target.
  struct ReachabilityOutput: Encodable {
    let target: String
    let addresses: [String]
    let state: String
    let words: String
    let method: String
    let isProvablyOffline: Bool

    init(_ target: ReachabilityTarget, _ state: Reachability, method: String) {
      self.target = target.name
      addresses = target.addresses.map(\.description)
      self.state = state.code
      words = state.description
      self.method = method
      isProvablyOffline = state.isProvablyOffline
    }
  }
#endif
