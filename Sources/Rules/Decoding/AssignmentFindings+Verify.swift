extension AssignmentFindings {
  /// Throws the issues of the drafts and of their assignments.
  func verify(
    _ drafts: [(value: Any, path: IssuePath)], _ strict: Bool, _ mode: Findings.Mode
  ) throws(VerificationError) {
    var paths: [Int: IssuePath] = [:]
    var present = Report.valid
    for draft in drafts {
      Reflection.visit(draft.value, at: draft.path) { property, path in
        for mark in property.marks { paths[mark] = paths[mark] ?? path }
        present.merge(property.presentReport.inside(path))
      }
      if let value = draft.value as? any Verifiable {
        present.merge(value.wholeReport.inside(draft.path))
      }
    }
    // A property that was replaced as a whole since then has no path.
    var report = entries.reduce(into: Report.valid) { report, entry in
      report.merge(entry.report.inside(paths[entry.mark] ?? .whole))
    }
    // A value that was flagged is reported as an assignment already.
    let reported = Set(report.issues)
    present.issues.removeAll(where: reported.contains)
    report.merge(present)
    guard !report.isValid(strict: strict) else { return }
    if mode == .first {
      report.issues = Array(
        report.issues.first { strict || $0.severity == .must }.map { [$0] } ?? [])
    }
    throw VerificationError(report)
  }
}
