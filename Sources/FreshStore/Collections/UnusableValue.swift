/// A stored value that may not be served.
@usableFromInline
struct UnusableValue: Error {
  @usableFromInline let cause: Decision.Cause

  @usableFromInline
  init(_ cause: Decision.Cause) {
    self.cause = cause
  }
}
