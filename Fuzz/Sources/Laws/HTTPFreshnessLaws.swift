import Strategies

@testable import FreshHTTP

/// The laws that the freshness of a response keeps for any fields.
struct HTTPFreshnessLaws {
  let message: HTTPMessage

  /// The laws for a response with its request; see ``HTTPMessage``.
  static func check(_ input: [UInt8]) {
    HTTPFreshnessLaws(message: HTTPMessage(input)).check()
  }

  private func check() {
    let freshness = freshness()
    law("the same fields have the same freshness", self.freshness() == freshness)
    checkFigures(of: freshness)
    checkOrder(freshness)
    checkAdditions(freshness)
    checkCacheControl()
    checkEntityTag()
    checkSelection()
  }

  private func freshness(_ response: HeaderFields? = nil) -> ResponseFreshness {
    FreshnessCalculation().freshness(of: message.exchange(response ?? message.response))
  }

  private func freshness(adding name: String, _ value: String) -> ResponseFreshness {
    var response = message.response
    response.append(name, value)
    return freshness(response)
  }

  // MARK: Figures

  private func checkFigures(of freshness: ResponseFreshness) {
    let age = FreshnessCalculation().initialAge(of: message.exchange(message.response))
    law("an age is not negative", age >= .zero)
    law("nothing comes from the future", freshness.lastUpdate <= message.time)
    if case .after(let lifetime) = freshness.expiry {
      law("a lifetime is positive", lifetime > .zero)
      let end = freshness.lastUpdate.advanced(by: lifetime)
      law("what is fresh is so for a while", end >= freshness.lastUpdate)
    }
    law("nothing is for ever", freshness.expiry != .never)
    let windows = [freshness.staleWhileRevalidate, freshness.staleIfError]
    let range = Duration.zero...Duration.seconds(DeltaSeconds.greatest)
    law(
      "a window lies in the range of seconds", windows.allSatisfy { $0.map(range.contains) ?? true }
    )
    law(
      "what must be asked for has no window",
      !freshness.mustRevalidate || windows.allSatisfy { $0 == nil })
    let off = FreshnessCalculation(heuristic: .off).freshness(
      of: message.exchange(message.response))
    let isGuess = off.expiry == .unstated
    law("what is stated is not guessed", isGuess || off == freshness)
    if isGuess, case .after(let lifetime) = freshness.expiry {
      law("a guess is limited", lifetime <= HeuristicFreshness.standard.limit)
    }
  }

  // MARK: Fields

  /// Only the order of fields with one name matters.
  private func checkOrder(_ freshness: ResponseFreshness) {
    let groups = Dictionary(grouping: message.response.lines) { FieldSyntax.lowercased($0.name) }
    for names in [groups.keys.sorted(), groups.keys.sorted().reversed()] {
      let lines = names.flatMap { groups[$0] ?? [] }
      law(
        "the order of unlike fields does not count",
        self.freshness(HeaderFields(lines)) == freshness)
    }
    let lowered = message.response.lines.map {
      HeaderFields.Line(name: FieldSyntax.lowercased($0.name), value: $0.value)
    }
    law("the case of names does not count", self.freshness(HeaderFields(lowered)) == freshness)
    let control = message.response.combined("Cache-Control")
    var joined = message.response
    joined.set("Cache-Control", control)
    law("lines of one list are one list", self.freshness(joined) == freshness)
  }

  private func checkAdditions(_ freshness: ResponseFreshness) {
    for (name, value) in [
      ("X-Unknown", "max-age=1"), ("Cache-Control", "x-unknown=1"), ("Cache-Control", "s-maxage=1"),
      ("Cache-Control", ""), ("Pragma", "no-cache"),
    ] {
      let other = self.freshness(adding: name, value)
      law("what is not for us changes nothing", other == freshness)
    }
    let asking = self.freshness(adding: "Cache-Control", "no-cache")
    law("no-cache is never lost", asking.expiry == .immediately && asking.mustRevalidate)
    let strict = self.freshness(adding: "Cache-Control", "must-revalidate")
    law("must-revalidate is never lost", strict.mustRevalidate)
    law("and changes no lifetime", strict.expiry == freshness.expiry)
    let unstored = self.freshness(adding: "Cache-Control", "no-store")
    let control = CacheControl(message.response.combined("Cache-Control"))
    law("no-store is never lost", !unstored.isStorable || control.mustUnderstand)
    let varying = self.freshness(adding: "Vary", "*")
    law("what answers no other request is asked for", varying.expiry == .immediately)
  }

  private func checkCacheControl() {
    let text = message.response.combined("Cache-Control")
    let control = CacheControl(text)
    let directives = CacheDirective.list(text ?? "")
    let names = directives.map(\.name)
    law("a directive has a name", names.allSatisfy(FieldSyntax.isToken))
    law("and it is in lower case", names.allSatisfy { FieldSyntax.lowercased($0) == $0 })
    law("a lifetime is one that is there", control.maximumAge == nil || names.contains("max-age"))
    checkTwice(text ?? "", directives)
  }

  /// A quote left open in the first line ends in the second, which then reads differently.
  private func checkTwice(_ text: String, _ directives: [CacheDirective]) {
    let twice = "\(text), \(text)"
    let isReadTwice = CacheDirective.list(twice) == directives + directives
    law(
      "a list joined to itself is read twice", isReadTwice || text.utf8.contains(FieldSyntax.quote))
    law("a name twice is one of the two", !isReadTwice || CacheControl(twice) == CacheControl(text))
  }

  private func checkEntityTag() {
    let text = message.response.first("ETag") ?? ""
    guard let tag = EntityTag(text) else { return }
    law("a tag is weakly itself", tag.weaklyEquals(tag))
    law("a tag is strongly itself unless it is weak", tag.stronglyEquals(tag) != tag.isWeak)
    let written = (tag.isWeak ? "W/" : "") + "\"\(tag.opaque)\""
    law("a tag that is written is the same", EntityTag(written) == tag)
    law("a tag can be sent", FieldSyntax.isFieldValue(written))
    if let strong = EntityTag("\"\(tag.opaque)\"") {
      law("weak and strong are only weakly equal", tag.weaklyEquals(strong))
    }
  }

  private func checkSelection() {
    let selection = VarySelection(of: message.response, for: message.request)
    law(
      "a selection reads as it was written", VarySelection(encoded: selection.encoded) == selection)
    law(
      "a response answers its own request, or none",
      selection.matches(message.request) == (selection != .none))
    law("a selection is one line", (selection.encoded ?? "").isHarmless)
  }
}
