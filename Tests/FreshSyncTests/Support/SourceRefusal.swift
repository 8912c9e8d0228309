import FreshStore

/// The error of a source that does not answer.
struct SourceRefusal: FetchErrorTraits {
  var blamesOrigin: Bool { true }
  var retryAfter: Duration? { nil }
}
