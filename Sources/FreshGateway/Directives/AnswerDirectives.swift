internal import FreshHTTP

/// The directives that count for a gateway, of all that an answer has: those of the first valid field
/// that is targeted at it, else those of `Cache-Control` (RFC 9213 section 2.2).
struct AnswerDirectives: Sendable, Hashable {
  let control: CacheControl
  /// False when a targeted field has taken the place of `Cache-Control` and `Expires`.
  let usesExpires: Bool
  /// The targeted field.
  let target: String?

  /// - Parameter targets: The names of the fields that are targeted at this cache, in its order.
  init(_ fields: HeaderFields, targets: [String]) {
    for name in targets {
      guard let text = fields.combined(name) else { continue }
      let directives =
        FieldSyntax.equalIgnoringCase(name, "Surrogate-Control")
        ? SurrogateControl.directives(text) : Self.targeted(text)
      guard let directives, !directives.isEmpty else { continue }
      control = CacheControl(directives)
      usesExpires = false
      target = name
      return
    }
    control = CacheControl(fields.combined("Cache-Control"))
    usesExpires = true
    target = nil
  }

  /// True when an answer to an identified user may be kept for everybody (RFC 9111 section 3.5).
  var isForIdentified: Bool {
    control.isPublic || control.mustRevalidate || control.hasSharedMaximumAge
  }

  /// RFC 9213 section 2.1: a dictionary of structured fields. A directive that is known and has a value
  /// of another type makes the field one that does not count; a false one is absent.
  private static func targeted(_ text: String) -> [CacheDirective]? {
    guard let members = StructuredFields.dictionary(text) else { return nil }
    var directives: [CacheDirective] = []
    for (name, value) in members {
      switch value {
      case .boolean(false): directives.append(CacheDirective(name: "unset", argument: .absent))
      case .boolean(true):
        guard !numbers.contains(name) else { return nil }
        directives.append(CacheDirective(name: name, argument: .absent))
      case .integer(let number):
        guard number >= 0, !flags.contains(name), !lists.contains(name) else { return nil }
        directives.append(CacheDirective(name: name, argument: .text(String(number))))
      case .string(let names):
        guard !numbers.contains(name), !flags.contains(name) else { return nil }
        directives.append(CacheDirective(name: name, argument: .text(names)))
      case .token, .other:
        guard !numbers.contains(name), !flags.contains(name), !lists.contains(name) else {
          return nil
        }
        directives.append(CacheDirective(name: name, argument: .malformed))
      }
    }
    return directives
  }

  private static let numbers: Set = [
    "max-age", "s-maxage", "stale-while-revalidate", "stale-if-error",
  ]
  private static let lists: Set = ["no-cache", "private"]
  private static let flags: Set = [
    "no-store", "must-revalidate", "proxy-revalidate", "must-understand", "public", "immutable",
  ]
}
