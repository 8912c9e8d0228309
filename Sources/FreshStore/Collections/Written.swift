/// What a write through to the source came to.
public struct Written<Value: Sendable>: Sendable {
  /// The value the source gave back; the caller's own when the source was not asked.
  public let value: Value
  /// Why the store did not take it, although the source did: the value in hand is not lost by it.
  public let storeFailure: StoreError?
}
