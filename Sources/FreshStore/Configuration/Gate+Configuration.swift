internal import Strategies

extension Gate {
  /// The gate of a store.
  convenience init(_ configuration: Configuration) {
    let skew = configuration.allowedSkew
    let standard: Chain<RecordStamps> = [
      .reachability(configuration.reachability), .invalidation(), .timestamp(allowedSkew: skew),
      .default(),
    ]
    let chain = configuration.chain ?? standard
    let ahead = StrategiesAhead(chain, allowedSkew: skew)
    let provider = ahead.map { $0.reachability?.provider ?? FixedReachability(.online) }
    self.init(
      chain: chain, allowedSkew: skew, provider: provider,
      ahead: ahead?.isEmpty == true ? nil : ahead)
  }
}
