/// The mutants that the tests of a suite reach, and the time they take.
struct Suite: Codable {
  /// As `FreshStoreTests.GateTests`.
  var name: String
  /// False when its tests fail without a mutant, or take too long.
  var passes: Bool
  var seconds: Double
  /// The numbers of the mutants.
  var reached: Set<Int>
}
