#if CommandLine
  internal import Reachability
  internal import Strategies

  /// The known state of the path to one target.
  struct ReachabilityOutput: Encodable {
    let target: String
    let addresses: [String]
    let state: String
    let words: String
    let rung: String
    let isProvablyOffline: Bool

    init(_ target: ReachabilityTarget, _ state: Reachability, rung: String) {
      self.target = target.name
      addresses = target.addresses.map(\.description)
      self.state = state.code
      words = state.description
      self.rung = rung
      isProvablyOffline = state.isProvablyOffline
    }
  }
#endif
