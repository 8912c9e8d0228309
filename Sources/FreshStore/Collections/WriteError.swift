/// The reason why a write through to the source failed.
public enum WriteError: Error, Sendable {
  /// The source refused; `isStored` is true when the store holds the change anyway.
  case source(any Error, isStored: Bool)
  /// The store refused, and the source was not asked.
  case store(StoreError)
}

extension WriteError: CustomStringConvertible {
  /// The refusing side, and the remaining state.
  public var description: String {
    switch self {
    case .source(let error, isStored: true):
      "the source refused the write, which stands in the store: \(error)"
    case .source(let error, isStored: false):
      "the source refused the write, and nothing was stored: \(error)"
    case .store(let error): "the source was not asked: \(error)"
    }
  }
}
