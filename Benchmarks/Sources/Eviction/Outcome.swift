/// What one run of a simulator over a trace gave.
struct Outcome {
  var hitRatio: Double
  var byteHitRatio: Double
  var nanoseconds: Double
}
