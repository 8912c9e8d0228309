/// A mark that was made while the shared tier was out of reach, and that it has not taken yet: it is delivered later.
package struct KeptMark: Sendable, Hashable {
  /// Its number among those of the file.
  package let id: Int64
  /// The records that it covers.
  package let scope: SharedMark.Scope
  /// The reason that its maker gave.
  package let reason: String
}
