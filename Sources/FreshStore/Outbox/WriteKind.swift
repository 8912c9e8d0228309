/// What a local write asks its source to do.
public enum WriteKind: Sendable, Hashable {
  /// To make an object that does not exist yet (`If-None-Match: *`).
  case create
  /// To hold this value in place of the one it has.
  case replace
  /// To change its object by a document of the given media type, such as a JSON merge patch
  /// (RFC 7396); the value stored here is what the object is expected to become.
  case patch([UInt8], contentType: String)
  /// To delete its object.
  case delete
}
