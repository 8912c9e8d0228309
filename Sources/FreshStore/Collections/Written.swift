/// The result of a write through to the source.
public struct Written<Value: Sendable>: Sendable {
  /// The value that the source returned; the caller's own when the source was not asked.
  public let value: Value
  /// The reason why the store did not keep it, although the source accepted it: the value itself is not
  /// lost.
  public let storeFailure: StoreError?
}
