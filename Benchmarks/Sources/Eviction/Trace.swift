/// A sequence of requests, and the properties of its keys.
struct Trace {
  /// The requested keys, each in 0..<universe.
  var requests: [Int32] = []
  /// How many of the first requests only warm the cache and are not counted.
  var warmUp = 0
  /// Keys from here on are those of a one-time scan: requested, but not counted.
  var firstUncountedKey = Int32.max
  /// The weight of every key.
  var weights: [Int32] = []

  var universe: Int { weights.count }
}
