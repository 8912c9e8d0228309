internal import FreshHTTP

/// `Surrogate-Control` of the Edge Architecture Specification 1.0, as far as it is about caching:
/// `no-store`, and `max-age=600+300`, whose second number is how long a stale answer may be used.
enum SurrogateControl {
  /// The directives for every surrogate, as those of `Cache-Control`; those for one by name
  /// (`max-age=60;name`) are for others. `nil` when one cannot be read.
  static func directives(_ text: String) -> [CacheDirective]? {
    var directives: [CacheDirective] = []
    for member in FieldSyntax.listMembers(text) where !member.contains(";") {
      for directive in CacheDirective.list(member) {
        guard directive.name == "max-age" else {
          directives.append(directive)
          continue
        }
        guard case .text(let argument) = directive.argument else { return nil }
        let parts = argument.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ DeltaSeconds($0) != nil }) else { return nil }
        directives.append(CacheDirective(name: "max-age", argument: .text(String(parts[0]))))
        guard parts.count == 2 else { continue }
        for name in ["stale-while-revalidate", "stale-if-error"] {
          directives.append(CacheDirective(name: name, argument: .text(String(parts[1]))))
        }
      }
    }
    return directives
  }
}
