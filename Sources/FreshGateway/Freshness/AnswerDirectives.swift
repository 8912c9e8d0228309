internal import FreshHTTP

/// The directives that count for a gateway, of all that an answer has: those of the first valid field
/// that is targeted at it, else those of `Cache-Control` (RFC 9213 section 2.2).
///
/// A targeted field takes the place of `Cache-Control` and `Expires` only where it says itself what may be kept, or how
/// long. By the RFC any other does so, too; but one that is about something else, as `stale-if-error` is, was not written
/// to give answers of one user to all, nor to have one used unasked that has to be validated: it stands beside them, and
/// no cache has to keep anything. Beside it counts the next one that does say so, and `Cache-Control` only without any.
struct AnswerDirectives: Sendable, Hashable {
  let control: CacheControl
  /// False when a targeted field has taken the place of `Cache-Control` and `Expires`.
  let usesExpires: Bool
  /// `must-revalidate` of the field that says what may be kept, or how long: one that stands beside it has been written
  /// without that in view, and gives no answer of one user to all.
  private let mustRevalidate: Bool

  /// - Parameter targets: The names of the fields that are targeted at this cache, in its order.
  init(_ fields: HeaderFields, targets: [String]) {
    let general = fields.combined("Cache-Control")
    var beside: [CacheDirective] = []
    for name in targets {
      guard let text = fields.combined(name) else { continue }
      let directives =
        FieldSyntax.equalIgnoringCase(name, "Surrogate-Control")
        ? SurrogateControl.directives(text) : Self.targeted(text)
      guard let directives, !directives.isEmpty else { continue }
      beside += Self.counting(directives, beside: beside)
      guard directives.contains(where: { Self.storing.contains($0.name) }) else { continue }
      control = CacheControl(beside)
      mustRevalidate = CacheControl(directives).mustRevalidate
      usesExpires = false
      return
    }
    control =
      beside.isEmpty
      ? CacheControl(general)
      : CacheControl(
        beside + Self.counting(CacheDirective.list(general ?? ""), beside: beside))
    mustRevalidate = CacheControl(general).mustRevalidate
    usesExpires = true
  }

  /// True when an answer to an identified user may be kept for everybody (RFC 9111 section 3.5).
  var isForIdentified: Bool {
    control.isPublic || mustRevalidate || control.hasSharedMaximumAge
  }

  /// What a field says beside the targeted ones before it, which do not say what may be kept. How long a stale answer is
  /// of use those know better; nothing that any forbids is lost.
  private static func counting(
    _ directives: [CacheDirective], beside targeted: [CacheDirective]
  ) -> [CacheDirective] {
    let known = Set(targeted.map(\.name)).intersection(graces)
    return directives.filter { !known.contains($0.name) }
  }

  /// RFC 9213 section 2.1: a dictionary of structured fields. A directive that is known and has a value
  /// of another type makes the field one that does not count; a false one is absent, and so is one that is not known:
  /// with nothing else the field is as good as empty.
  private static func targeted(_ text: String) -> [CacheDirective]? {
    guard let members = StructuredFields.dictionary(text) else { return nil }
    var directives: [CacheDirective] = []
    for (name, value) in members {
      let (isNumber, isFlag) = (numbers.contains(name), flags.contains(name))
      let isList = lists.contains(name)
      guard isNumber || isFlag || isList else { continue }
      switch value {
      case .boolean(false): break
      case .boolean(true):
        guard !isNumber else { return nil }
        directives.append(CacheDirective(name: name, argument: .absent))
      case .integer(let number):
        guard isNumber, number >= 0 else { return nil }
        directives.append(CacheDirective(name: name, argument: .text(String(number))))
      case .string(let names):
        guard isList else { return nil }
        directives.append(CacheDirective(name: name, argument: .text(names)))
      case .token, .other: return nil
      }
    }
    return directives
  }

  private static let numbers: Set = [
    "max-age", "s-maxage", "stale-while-revalidate", "stale-if-error",
  ]
  private static let lists: Set = ["no-cache", "private"]
  /// `none` is no directive: by RFC 9213 section 3.1 it stands in a field that says that nothing is forbidden here.
  private static let flags: Set = [
    "no-store", "must-revalidate", "proxy-revalidate", "must-understand", "public", "immutable",
    "none",
  ]
  /// Those that say whether an answer may be kept, or how long. `no-cache` says neither: it forbids one more thing.
  private static let storing: Set = [
    "max-age", "s-maxage", "no-store", "private", "public", "must-understand", "none",
  ]
  private static let graces: Set = ["stale-while-revalidate", "stale-if-error"]
}

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
