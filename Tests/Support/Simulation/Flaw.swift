/// A mistake that is made on purpose, to see it found.
public enum Flaw: String, CaseIterable, Sendable {
  /// The model forgets marks.
  case ignoresMarks
  /// The model lets a late answer overwrite what was put meanwhile.
  case ignoresPuts
  /// The model sends local writes in any order.
  case ignoresOrder
  /// The model fetches a record that is being fetched already.
  case ignoresLeases
  /// The model waits for an answer however long it takes.
  case ignoresTimeouts
  /// The model asks an origin however often it has failed.
  case ignoresBreakers
}
