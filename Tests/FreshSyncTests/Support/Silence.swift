import FreshStore

/// The error of a fetch that was not answered.
struct Silence: FetchErrorTraits {
  var blamesOrigin: Bool { true }
  var retryAfter: Duration? { nil }
  var isUnreachable: Bool { true }
}
