internal import FreshHTTP

extension Conclusion {
  /// The same where the answer is not kept after all; `Cache-Status` says so.
  func unstored(_ detail: String) -> Conclusion {
    guard case .origin(let status, var fields, let sendsContent) = reply,
      case .success = storing, let own = fields.values("Cache-Status").last
    else { return self }
    var conclusion = self
    conclusion.storing = nil
    conclusion.joins = nil
    let lines = fields.lines
    let text = own.replacing("; stored", with: "") + "; detail=\"\(detail)\""
    if let last = lines.lastIndex(where: {
      FieldSyntax.equalIgnoringCase($0.name, "Cache-Status")
    }) {
      var changed = lines
      changed[last] = HeaderFields.Line(name: "Cache-Status", value: text)
      fields = HeaderFields(changed)
    }
    conclusion.reply = .origin(status: status, fields: fields, sendsContent: sendsContent)
    return conclusion
  }
}
