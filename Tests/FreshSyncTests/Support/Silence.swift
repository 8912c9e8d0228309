import FreshStore

/// What a fetch throws that nobody answered.
struct Silence: FetchErrorTraits {
  var blamesOrigin: Bool { true }
  var retryAfter: Duration? { nil }
  var isUnreachable: Bool { true }
}
