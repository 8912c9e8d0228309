/// A property wrapper with a rule, found by reflection.
protocol RuledProperty {
  /// The issues of its value.
  var presentReport: Report { get }
  /// The marks that identify its failed assignments in ``AssignmentFindings``.
  var marks: [Int] { get }
  /// Its value, if any.
  var content: Any? { get }
}
