internal import Synchronization

/// Changes a model in a block: all of its assignments count, or none.
///
/// The block changes a draft. Each assignment to a ``Must`` or ``Should`` property that breaks its rule is
/// reported, with its path, even if a later assignment corrects it. Then all issues of the final draft are
/// reported: of its properties (``Rule/declared``), and of the whole where it is ``Verifiable``. Without issues,
/// the draft replaces the model. Otherwise the model stays as it was, and accepts any later assignment.
///
/// ```swift
/// try verify(&order) { draft in
///   draft.amount = 5
///   draft.client.name = "Ada"
/// }
/// ```
///
/// - Parameters:
///   - strict: True to fail for broken advice too, also of ``Should`` properties.
///   - mode: ``Findings/Mode/first`` to report the first failure only.
/// - Throws: The issues, in the order of the assignments.
///
/// Cost: a copy of the model, and ``Rule/declared``. Referenced objects are neither copied nor rolled back. A
/// failed assignment to another model in the block fails the block too, and has no path.
public func verify<Model, Result>(
  _ model: inout Model, strict: Bool = false, mode: Findings.Mode = .all,
  _ body: (inout Model) -> Result
) throws(VerificationError) -> Result {
  var draft = model
  let findings = AssignmentFindings()
  let result = AssignmentFindings.$current.withValue(findings) { body(&draft) }
  try findings.verify([(draft, .whole)], strict, mode)
  model = draft
  return result
}

/// Changes two models in a block: all of its assignments count, or none. Paths begin with the models' names. See
/// ``verify(_:strict:mode:_:)``; a tuple holds more models.
public func verify<First, Second, Result>(
  _ first: inout First, _ firstName: String, _ second: inout Second, _ secondName: String,
  strict: Bool = false, mode: Findings.Mode = .all, _ body: (inout First, inout Second) -> Result
) throws(VerificationError) -> Result {
  var (draft, other) = (first, second)
  let findings = AssignmentFindings()
  let result = AssignmentFindings.$current.withValue(findings) { body(&draft, &other) }
  let named = [
    (draft as Any, IssuePath([.field(firstName)])), (other, IssuePath([.field(secondName)])),
  ]
  try findings.verify(named, strict, mode)
  (first, second) = (draft, other)
  return result
}

/// A type with rules for its values as a whole, such as a relation between two fields.
///
/// `decode(verify:from:)` applies them to the value at the root of the document, after the properties' own rules;
/// ``verify(_:strict:mode:_:)`` applies them at the end. For a part with rules of its own, name it:
/// `.field(\.client, "client", Client.rules)`.
public protocol Verifiable {
  /// The rules. Their names for fields are the reported paths, so use the names of the coding keys.
  static var rules: Rule<Self> { get }
}

extension Verifiable {
  var wholeReport: Report { Self.rules.check(self) }
}

/// The error of a value that breaks its rules, or could not be decoded.
public struct VerificationError: Error, Sendable, Hashable {
  /// Everything that is wrong, in the order in which it was found.
  public let report: Report

  /// Creates an error.
  public init(_ report: Report) {
    self.report = report
  }
}

extension VerificationError: CustomStringConvertible {
  /// The issues separated by semicolons.
  public var description: String { report.description }
}

/// The assignments rejected while a block of them ran in this task.
final class AssignmentFindings: Sendable {
  @TaskLocal static var current: AssignmentFindings?

  private static let lastMark = Atomic(0)

  private let first = AssignmentFindings.lastMark.load(ordering: .relaxed)
  private let state = Mutex<[(mark: Int, report: Report)]>([])

  /// The failed assignments in their order, each with its mark.
  var entries: [(mark: Int, report: Report)] { state.withLock { $0 } }

  /// Records a property's rejection, and adds the mark that identifies the property to `marks`; the marks of
  /// earlier blocks are dropped.
  func note(_ report: Report, _ marks: inout [Int]) {
    let mark = Self.lastMark.add(1, ordering: .relaxed).newValue
    marks.removeAll { $0 <= first }
    marks.append(mark)
    state.withLock { $0.append((mark, report)) }
  }

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
    // A property that was replaced as a whole meanwhile has no path.
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
