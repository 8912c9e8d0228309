/// Finds the properties with rules in a value. It looks into fields, lists, dictionaries, optionals and tuples at
/// any depth, but not behind references.
enum Reflection {
  /// Visits the properties in the order of declaration, and dictionaries in the order of their keys.
  static func visit(
    _ value: Any, at path: IssuePath = .whole, _ body: (any RuledProperty, IssuePath) -> Void
  ) {
    if let property = value as? any RuledProperty {
      body(property, path)
      if let content = property.content { visit(content, at: path, body) }
      return
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .class, .foreignReference: return
    case .optional:
      if let some = mirror.children.first { visit(some.value, at: path, body) }
    case .dictionary:
      for (key, value) in entries(mirror) { visit(value, at: path.appending(.field(key)), body) }
    case .collection where value is any NumberList: return
    case .collection, .set:
      for (index, child) in mirror.children.enumerated() {
        visit(child.value, at: path.appending(.index(index)), body)
      }
    default:
      for child in mirror.children {
        let place = child.label.map { path.appending(.field(name($0, child.value))) }
        visit(child.value, at: place ?? path, body)
      }
    }
  }

  private static func entries(_ mirror: Mirror) -> [(String, Any)] {
    mirror.children.compactMap { child -> (String, Any)? in
      let pair = Array(Mirror(reflecting: child.value).children)
      return pair.count == 2 ? ("\(pair[0].value)", pair[1].value) : nil
    }.sorted { $0.0 < $1.0 }
  }

  /// The compiler keeps a wrapper under its property's name with a leading underscore, and calls
  /// the elements of a tuple `.0`.
  private static func name(_ label: String, _ value: Any) -> String {
    label.hasPrefix(".") || value is any RuledProperty ? String(label.dropFirst()) : label
  }
}

/// A list of numbers. It has no properties with rules, and is often a large file.
private protocol NumberList {}
extension Array: NumberList where Element: Numeric {}

/// A property wrapper with a rule, found by reflection.
protocol RuledProperty {
  /// The issues of its value.
  var presentReport: Report { get }
  /// The marks that identify its failed assignments in ``AssignmentFindings``.
  var marks: [Int] { get }
  /// Its value, if any.
  var content: Any? { get }
}

extension Rule {
  /// Accepts a value whose ``Must`` and ``Should`` properties keep their rules, at any depth. Paths are made of the
  /// properties' names.
  ///
  /// Works by reflection, and does not follow references. Costs some microseconds for each field and each list
  /// element; numbers in lists cost nothing.
  public static var declared: Rule {
    Rule { value, findings in
      var outcome: Outcome = .passed
      Reflection.visit(value) { property, path in
        outcome = outcome.and(findings.add(property.presentReport.inside(path)))
      }
      return outcome
    }
  }
}
