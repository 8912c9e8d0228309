internal import FreshHTTP

/// The directives of `Cache-Control` in a request (RFC 9111 section 5.2.1, RFC 5861 section 4).
struct RequestDirectives: Sendable, Hashable {
  /// How stale an answer may be.
  enum MaximumStaleness: Sendable, Hashable {
    case any
    case atMost(Duration)
  }

  /// `max-age` (section 5.2.1.1): the least of several; zero where it is not a number.
  private(set) var maximumAge: Duration?
  /// `max-stale` (section 5.2.1.2); a value that is not a number allows nothing.
  private(set) var maximumStaleness: MaximumStaleness?
  /// `min-fresh` (section 5.2.1.3): the greatest of several; a value that is not a number is never met.
  private(set) var minimumFreshness: Duration?
  /// `no-cache` (section 5.2.1.4), or `Pragma: no-cache` where there is no `Cache-Control` (section 5.4).
  private(set) var noCache = false
  /// `no-store` (section 5.2.1.5).
  private(set) var noStore = false
  /// `only-if-cached` (section 5.2.1.7).
  private(set) var onlyIfCached = false
  /// `stale-if-error`.
  private(set) var staleIfError: Duration?

  init(_ fields: HeaderFields) {
    guard let control = fields.combined("Cache-Control") else {
      noCache = CacheDirective.list(fields.combined("Pragma") ?? "").contains {
        $0.name == "no-cache"
      }
      return
    }
    for directive in CacheDirective.list(control) {
      apply(directive)
    }
  }

  private mutating func apply(_ directive: CacheDirective) {
    let seconds = Self.seconds(directive)
    switch directive.name {
    case "max-age":
      maximumAge = min(maximumAge ?? .seconds(DeltaSeconds.greatest), seconds ?? .zero)
    case "min-fresh":
      minimumFreshness = max(minimumFreshness ?? .zero, seconds ?? Self.never)
    case "max-stale":
      switch (directive.argument, maximumStaleness) {
      case (.absent, nil): maximumStaleness = .any
      case (.absent, _): break
      case (_, .atMost(let other)?): maximumStaleness = .atMost(min(other, seconds ?? .zero))
      default: maximumStaleness = .atMost(seconds ?? .zero)
      }
    case "no-cache": noCache = true
    case "no-store": noStore = true
    case "only-if-cached": onlyIfCached = true
    case "stale-if-error": staleIfError = min(staleIfError ?? seconds ?? .zero, seconds ?? .zero)
    default: break
    }
  }

  private static func seconds(_ directive: CacheDirective) -> Duration? {
    guard case .text(let text) = directive.argument else { return nil }
    return DeltaSeconds(text)?.duration
  }

  /// Longer than any lifetime that a field can state.
  private static let never = Duration.seconds(DeltaSeconds.greatest * 2)
}
