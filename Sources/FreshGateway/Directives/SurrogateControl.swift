internal import FreshHTTP

/// `Surrogate-Control` of the Edge Architecture Specification 1.0, as far as it is about caching:
/// `no-store`, `no-store-remote`, and `max-age=600+300`, whose second number is how long a stale answer may be used.
enum SurrogateControl {
  /// The directives for every surrogate, as those of `Cache-Control`; those for one by name
  /// (`max-age=60;name`) are for others. `nil` when one cannot be read, unless another one forbids to keep anything; none
  /// where the field is about something else alone, as `content="ESI/1.0"` is, which says how the content is to be
  /// processed.
  static func directives(_ text: String) -> [CacheDirective]? {
    var directives: [CacheDirective] = []
    var isRead = true
    for member in FieldSyntax.listMembers(text) where !member.contains(";") {
      for directive in CacheDirective.list(member) {
        switch directive.name {
        // Which surrogates are remote is theirs to know; this one does not.
        case "no-store", "no-store-remote":
          directives.append(CacheDirective(name: "no-store", argument: .absent))
        case "max-age":
          if let lifetime = lifetime(directive) { directives += lifetime } else { isRead = false }
        default: break
        }
      }
    }
    return isRead || directives.contains { $0.name == "no-store" } ? directives : nil
  }

  private static func lifetime(_ directive: CacheDirective) -> [CacheDirective]? {
    guard case .text(let argument) = directive.argument else { return nil }
    let parts = argument.split(separator: "+", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ DeltaSeconds($0) != nil }) else { return nil }
    let names = parts.count == 2 ? ["stale-while-revalidate", "stale-if-error"] : []
    return [CacheDirective(name: "max-age", argument: .text(String(parts[0])))]
      + names.map { CacheDirective(name: $0, argument: .text(String(parts[1]))) }
  }
}
