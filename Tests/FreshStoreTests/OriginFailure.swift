import FreshStore

/// What a source throws in these tests.
struct OriginFailure: FetchErrorTraits, Equatable {
  var blamesOrigin = true
  var retryAfter: Duration?
  var isUnreachable = false
  var wasAnswered = true
}
