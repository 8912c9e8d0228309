/// A type with rules for its values as wholes, such as a relation between two fields.
///
/// They are applied by `decode(verify:from:)`, after the properties' own rules, to the value at the
/// root of the document, and at the end of ``verify(_:strict:mode:_:)``. For a part with rules of its
/// own, name it: `.field(\.client, "client", Client.rules)`.
public protocol Verifiable {
  /// The rules. Their names for fields are the paths that are reported: use the coding keys'.
  static var rules: Rule<Self> { get }
}

extension Verifiable {
  var wholeReport: Report { Self.rules.check(self) }
}
