/// What becomes of a value that breaks the rule of the property it is assigned to.
public enum AssignmentPolicy: String, Sendable, Hashable, CaseIterable {
  /// It is turned away, and the property keeps the value it has: what ``Must`` does by itself.
  case reject
  /// It is taken, and the projected value says that it breaks the rule.
  case flag
  /// It is turned away, and the property has no value any more: what ``Should`` does by itself. A
  /// ``Must`` always has one, so that there it is the same as ``reject``.
  case clear
}
