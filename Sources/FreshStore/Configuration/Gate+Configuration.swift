internal import Strategies

extension Gate {
  /// The gate of a store.
  init(_ configuration: Configuration) {
    let skew = configuration.allowedSkew
    let standard: Chain<RecordStamps> = [
      .reachability(configuration.reachability), .invalidation, .timestamp(allowedSkew: skew),
      .default,
    ]
    let chain = configuration.chain ?? standard
    self.init(
      chain: chain, allowedSkew: skew, agePath: AgePath(chain, allowedSkew: skew))
  }
}
