/// The outcome of a mutant.
enum Outcome: String {
  case killed
  /// Killed, as its tests did not end in time.
  case timedOut = "timed out"
  case survived
  /// Reached by slow suites alone, which were not run.
  case notAsked = "slow suites only"
  /// No test executes the changed place, so none was run.
  case notReached = "not reached"
}
