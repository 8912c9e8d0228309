extension Rule {
  /// Kept by a value whose ``Must`` and ``Should`` properties keep their rules, however deep they
  /// lie in it; paths are made of the properties' names.
  ///
  /// Works by reflection: costs some microseconds for each field, list elements included except
  /// numbers, and does not follow references.
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
