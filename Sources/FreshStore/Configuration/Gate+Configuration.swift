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
    let path = AgePath(chain, allowedSkew: skew)
    let provider = path.map { $0.reachability?.provider ?? FixedReachability(.online) }
    self.init(
      chain: chain, allowedSkew: skew, provider: provider, own: path?.isPlain == true ? nil : path)
  }
}
