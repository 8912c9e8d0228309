internal import FreshHTTP

/// The directives of an answer that count for a gateway (RFC 9213 section 2.2). They are in the first valid field that
/// is targeted at it, else in `Cache-Control`.
///
/// A targeted field replaces `Cache-Control` and `Expires` only where it states itself what may be kept, or for how
/// long. The RFC lets any targeted field replace them. But a field about something else, such as `stale-if-error`, was
/// not written to give one user's answers to all, or to allow use without validation. Such a field counts beside the
/// others, as no cache has to keep anything. The next targeted field that states what may be kept counts with it;
/// `Cache-Control` counts only without such a field.
struct AnswerDirectives: Sendable, Hashable {
  let control: CacheControl
  /// False when a targeted field has taken the place of `Cache-Control` and `Expires`.
  let usesExpires: Bool
  /// `must-revalidate` of the field that states what may be kept. In a field beside that it was written for another
  /// purpose, and allows no sharing of one user's answer.
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

  /// The directives of a field that add to those of the targeted fields before it. The targeted fields decide how long
  /// a stale answer is of use; every prohibition counts.
  private static func counting(
    _ directives: [CacheDirective], beside targeted: [CacheDirective]
  ) -> [CacheDirective] {
    let known = Set(targeted.map(\.name)).intersection(graces)
    return directives.filter { !known.contains($0.name) }
  }

  /// RFC 9213 section 2.1: a dictionary of structured fields.
  ///
  /// A known directive with a value of the wrong type makes the whole field invalid. A false directive is absent, and
  /// so is an unknown one: a field with nothing else counts as empty.
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
  /// `none` is no directive: in RFC 9213 section 3.1 it marks a field that forbids nothing.
  private static let flags: Set = [
    "no-store", "must-revalidate", "proxy-revalidate", "must-understand", "public", "immutable",
    "none",
  ]
  /// The directives that state whether an answer may be kept, or for how long. `no-cache` states neither.
  private static let storing: Set = [
    "max-age", "s-maxage", "no-store", "private", "public", "must-understand", "none",
  ]
  private static let graces: Set = ["stale-while-revalidate", "stale-if-error"]
}

/// `Surrogate-Control` of the Edge Architecture Specification 1.0, as far as it is about caching.
///
/// It has `no-store`, `no-store-remote`, and `max-age=600+300`, whose second number is how long a stale answer may be
/// used.
enum SurrogateControl {
  /// The directives for every surrogate, in the form of `Cache-Control`.
  ///
  /// Directives for one surrogate by name (`max-age=60;name`) are for others. The result is `nil` when a directive
  /// cannot be read, unless another one is `no-store`. It is empty where the field is only about something else:
  /// `content="ESI/1.0"` says how the content is processed.
  static func directives(_ text: String) -> [CacheDirective]? {
    var directives: [CacheDirective] = []
    var isRead = true
    for member in FieldSyntax.listMembers(text) where !member.contains(";") {
      for directive in CacheDirective.list(member) {
        switch directive.name {
        // Only a surrogate knows whether it is remote; this one assumes that it is.
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
