/// The parameters of a simulator before the first request.
struct SimulatorConfiguration {
  /// The bound on the sum of the weights of the held entries.
  var capacity: Int
  /// Keys are in 0..<universe.
  var universe: Int
  /// About how many entries fit; sizes the structures that count entries (sketches, ghosts).
  var expectedEntries: Int
  /// All requests to come; only the offline optimum looks at them.
  var requests: [Int32]
}
