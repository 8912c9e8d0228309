/// The result of one run of a simulator over a trace.
struct Outcome {
  var hitRatio: Double
  var byteHitRatio: Double
  var nanoseconds: Double
}
