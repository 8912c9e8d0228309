/// One of several ways to do the same work, which are measured together.
public struct Contestant {
  /// Its name in the tables.
  public let name: String
  /// Its answer before the measurement.
  public let answer: String
  /// Does the work so many times and returns a number that depends on each of them, so that no
  /// optimiser can leave one out.
  public let run: (Int) -> Int

  /// Creates a contestant; `run` holds the loop, so that the harness adds nothing to a turn of it.
  public init(_ name: String, answer: String, run: @escaping (Int) -> Int) {
    self.name = name
    self.answer = answer
    self.run = run
  }
}
