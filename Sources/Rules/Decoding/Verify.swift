/// Changes a model in a block: all of its assignments count, or none.
///
/// The block changes a draft. Each assignment to a ``Must`` or ``Should`` property that breaks its
/// rule is reported, with its path, even if a later one corrects it; then all issues of the final
/// draft: of its properties, as ``Rule/declared`` finds them, and of the whole where it is
/// ``Verifiable``. Without issues, the draft replaces the model; otherwise the model stays as it
/// was, and accepts any later assignment.
///
/// ```swift
/// try verify(&order) { draft in
///   draft.amount = 5
///   draft.client.name = "Ada"
/// }
/// ```
///
/// - Parameters:
///   - strict: True to fail for broken advice too, that of ``Should`` properties included.
///   - mode: ``Findings/Mode/first`` to report the first failure only.
/// - Throws: The issues, in the order of the assignments.
///
/// Cost: a copy of the model, and ``Rule/declared``. Referenced objects are neither copied nor
/// rolled back. A failed assignment to another model in the block fails it too, and has no path.
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

/// Changes two models in a block: all of its assignments count, or none. Paths begin with the
/// models' names. See ``verify(_:strict:mode:_:)``; more of them fit in a tuple.
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
