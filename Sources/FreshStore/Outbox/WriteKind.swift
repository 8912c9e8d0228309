/// The operation that a local write requests from its source.
public enum WriteKind: Sendable, Hashable {
  /// Create an object that does not exist yet (`If-None-Match: *`).
  case create
  /// Replace the object's value by this one.
  case replace
  /// Change the object by a document of the given media type, such as a JSON merge patch (RFC
  /// 7396); the value stored here is the expected result.
  case patch([UInt8], contentType: String)
  /// Delete the object.
  case delete
}
