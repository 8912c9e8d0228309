/// A deliberate mistake that the simulation has to detect.
public enum Flaw: String, CaseIterable, Sendable {
  /// The model forgets marks.
  case ignoresMarks
  /// The model lets a late answer overwrite a value that was put meanwhile.
  case ignoresPuts
  /// The model sends local writes in any order.
  case ignoresOrder
  /// The model answers a get that asks always with what was asked before it came.
  case answersEarlier
  /// The model fetches a record that is already being fetched.
  case ignoresLeases
  /// The model waits for an answer without a limit.
  case ignoresTimeouts
  /// The model asks an origin however often it has failed.
  case ignoresBreakers
  /// The model sends a write whatever it is based on.
  case ignoresBases
  /// The model sends writes in the order of writing, whatever their priority.
  case ignoresPriorities
  /// The model sends a write whatever it comes after.
  case ignoresPredecessors
  /// The model asks an origin that is held.
  case ignoresHolds
  /// The model forgets corrections.
  case ignoresCorrections
  /// The model keeps everything when the store is wiped.
  case ignoresWipes
  /// The model loses one of two increments.
  case losesIncrements
}
