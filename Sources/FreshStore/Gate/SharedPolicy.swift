/// A policy behind a reference, as every read hands it on.
@usableFromInline
final class SharedPolicy: Sendable {
  let policy: Policy

  @usableFromInline
  init(_ policy: Policy) {
    self.policy = policy
  }
}
