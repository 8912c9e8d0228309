/// What became of a mutant.
enum Outcome: String {
  case killed
  /// Killed, as its tests did not end in time.
  case timedOut = "timed out"
  case survived
  /// Reached by slow suites alone, which were not asked.
  case notAsked = "slow suites only"
  /// No test executes what it changes, so none was run.
  case notReached = "not reached"
}
