/// A simulated cache: it holds keys, not values.
protocol CacheSimulator: SendableMetatype {
  init(_ configuration: SimulatorConfiguration)

  /// Requests a key, and holds it from then on if the policy wants it.
  /// - Returns: whether the key was held already.
  mutating func request(_ key: Int32, weight: Int) -> Bool
}
