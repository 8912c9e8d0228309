public import FreshStore
internal import Strategies

extension Configuration {
  /// A chain of three strategies, over a source that is always in reach.
  public static func withThreeStrategies(memory: MemoryLimits = .standard) -> Configuration {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.chain = [
      .reachability(.fixed(.online)), .timestamp(allowedSkew: .seconds(5)), .default(),
    ]
    configuration.memory = memory
    return configuration
  }
}
