internal import Rules

/// The measured loops: check the object, count its issues.
enum WholeObjectLoops {
  @inline(never)
  static func hand(_ registration: Registration, _ turns: Int) -> Int {
    var count = 0
    for _ in 0..<turns { count += HandCheck.problems(of: registration).count }
    return count
  }

  @inline(never)
  static func schema(
    _ schema: Schema<Registration>, _ registration: Registration, _ mode: Findings.Mode,
    _ turns: Int
  ) -> Int {
    var count = 0
    for _ in 0..<turns {
      count += schema.check(registration, in: .default, mode).issues.count
    }
    return count
  }

  @inline(never)
  static func rule(_ rule: Rule<Registration>, _ registration: Registration, _ turns: Int) -> Int {
    var count = 0
    for _ in 0..<turns { count += rule.check(registration).issues.count }
    return count
  }
}
