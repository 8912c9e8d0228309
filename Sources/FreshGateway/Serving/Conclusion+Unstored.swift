internal import FreshHTTP

extension Conclusion {
  /// The same where the answer is not kept after all; `Cache-Status` says so.
  ///
  /// - Parameter words: What it says, where that is more than the word for the refusal.
  func unstored(_ refusal: StoringRefusal, _ words: String? = nil) -> Conclusion {
    guard case .origin(let status, let fields, let sendsContent) = reply,
      case .success = storing, let changed = Self.unstored(fields, words ?? refusal.rawValue)
    else { return self }
    var conclusion = self
    conclusion.storing = .failure(refusal)
    conclusion.joins = nil
    conclusion.reply = .origin(status: status, fields: changed, sendsContent: sendsContent)
    return conclusion
  }

  /// The same where the copy that the origin has confirmed stays as it was.
  func unrenewed(_ refusal: StoringRefusal) -> Conclusion {
    guard case .copy(var plan, from: let index) = reply,
      let changed = Self.unstored(plan.fields, refusal.rawValue)
    else { return self }
    plan.fields = changed
    var conclusion = self
    conclusion.storing = .failure(refusal)
    conclusion.reply = .copy(plan, from: index)
    return conclusion
  }

  /// `nil` for fields that do not say that something is stored.
  private static func unstored(_ fields: HeaderFields, _ detail: String) -> HeaderFields? {
    var lines = fields.lines
    let last = lines.lastIndex { FieldSyntax.equalIgnoringCase($0.name, "Cache-Status") }
    guard let last, lines[last].value.contains("; stored") else { return nil }
    let text = lines[last].value.replacing("; stored", with: "") + "; detail=\"\(detail)\""
    lines[last] = HeaderFields.Line(name: "Cache-Status", value: text)
    return HeaderFields(lines)
  }
}
