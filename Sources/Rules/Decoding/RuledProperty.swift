/// A property wrapper with a rule, found by reflection.
protocol RuledProperty {
  /// What is wrong with the value it has.
  var presentReport: Report { get }
  /// What ``AssignmentFindings`` know its failed assignments by.
  var marks: [Int] { get }
  /// The value it has, where there is one.
  var content: Any? { get }
}
