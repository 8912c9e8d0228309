/// What a page of a queue is shared by: an origin's elements, the large ones apart, so that those do not keep
/// the small ones from theirs.
package struct FairShare: Hashable, Sendable {
  /// The origin.
  package let origin: ExactName
  /// True for large bodies.
  package let isLarge: Bool

  /// Creates a share.
  package init(_ origin: String, isLarge: Bool = false) {
    self.origin = ExactName(origin)
    self.isLarge = isLarge
  }
}
