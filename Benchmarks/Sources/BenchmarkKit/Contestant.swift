/// One of several ways to do the same thing, which are measured together.
public struct Contestant {
  /// What the tables call it.
  public let name: String
  /// What it answered before it was measured.
  public let answer: String
  /// Does the thing so many times and returns a number that depends on each of them, so that no
  /// optimiser can leave one out.
  public let run: (Int) -> Int

  /// Creates a contestant; `run` holds the loop, so that the harness adds nothing to a turn of it.
  public init(_ name: String, answer: String, run: @escaping (Int) -> Int) {
    self.name = name
    self.answer = answer
    self.run = run
  }
}
