/// What became of a mutant.
enum Outcome: String {
  case killed
  /// Killed, as its tests did not end in time.
  case timedOut = "timed out"
  case survived
  /// No test executes what it changes, so none was run.
  case notReached = "not reached"
}
