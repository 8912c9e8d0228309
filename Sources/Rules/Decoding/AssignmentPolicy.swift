/// The treatment of a value that breaks the rule of the property it is assigned to.
public enum AssignmentPolicy: String, Sendable, Hashable, CaseIterable {
  /// It is rejected, and the property keeps its value: the default of ``Must``.
  case reject
  /// It is accepted, and the projected value says that it breaks the rule.
  case flag
  /// It is rejected, and the property becomes `nil`: the default of ``Should``. A ``Must`` always
  /// has a value, so there it is the same as ``reject``.
  case clear
}
