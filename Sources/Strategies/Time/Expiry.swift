/// How long after its last update an object may be served without asking its source.
///
/// Four cases that cannot be confused: the libraries this replaces read "never" as *never valid* in
/// one place and *never expires* in another.
public enum Expiry: Sendable, Hashable {
  /// Fresh while its age is below the duration. Zero or negative reads as ``immediately``.
  case after(Duration)
  /// Fresh for ever.
  case never
  /// Stale from the start: every use asks the source.
  case immediately
  /// No expiry is stated; the timestamp strategy cannot decide.
  case unstated
}
