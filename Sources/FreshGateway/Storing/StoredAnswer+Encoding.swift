internal import FreshHTTP
internal import Strategies

extension StoredAnswer {
  /// The head in one text, to be kept beside the content; the variant's key is kept apart.
  ///
  /// The first line has the status, the times in milliseconds, the length of the whole (`*` where it is
  /// not known), the extents, and the lifetime that the operator has given it, if so; each further line is a field.
  var encoded: String {
    let extents = content.extents.map { "\($0.lowerBound)-\($0.upperBound)" }
    var figures = [
      "\(status)", "\(receivedAt.millisecondsSinceEpoch)", "\(initialAge.wholeMilliseconds)",
      content.completeLength.map { "\($0)" } ?? "*", extents.joined(separator: ","),
    ]
    if let lifetime = terms.assumedLifetime {
      figures.append("\(Self.lifetimeName)\(lifetime.wholeMilliseconds)")
    }
    let lines = fields.lines.map { "\($0.name): \($0.value)" }
    return ([figures.joined(separator: " ")] + lines).joined(separator: "\n")
  }

  /// Reads ``encoded`` back; `nil` for a text that no stored answer has, which is then as good as none.
  init?(encoded: String, selection: VarySelection, policy: GatewayPolicy) {
    // Bytes: every copy that memory does not have passes here on its way to a client.
    let lines = Array(encoded.utf8).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let figures = lines[0].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard (5...6).contains(figures.count), let status = Int(figures[0]),
      (200...599).contains(status),
      let receivedAt = Int64(figures[1]), let age = Int64(figures[2]), age >= 0,
      figures[3] == "*" || Int64(figures[3]).map({ $0 >= 0 }) == true
    else { return nil }
    var lifetime: Duration?
    if figures.count == 6 {
      guard let stated = Self.lifetime(figures[5]) else { return nil }
      lifetime = stated
    }
    let length = Int64(figures[3])
    let parts = figures[4].split(separator: ",")
    let extents = parts.compactMap(Self.extent)
    guard extents.count == parts.count, extents.allSatisfy({ $0.upperBound <= length ?? .max })
    else { return nil }
    var fields = HeaderFields()
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let (name, value) = (line[..<colon], line[(colon + 1)...])
      guard FieldSyntax.isToken(bytes: name), FieldSyntax.isFieldValue(bytes: value) else {
        return nil
      }
      fields.append(
        String(decoding: name, as: UTF8.self),
        String(decoding: value.drop(while: FieldSyntax.isWhitespace), as: UTF8.self))
    }
    self.init(
      status: status, fields: fields, selection: selection,
      content: StoredContent(extents, of: length),
      receivedAt: Timestamp(millisecondsSinceEpoch: receivedAt), initialAge: .milliseconds(age),
      assumedLifetime: lifetime, policy: policy)
  }

  private static let lifetimeName = "expiry="

  private static func lifetime(_ text: String) -> Duration? {
    guard text.hasPrefix(lifetimeName),
      let milliseconds = Int64(text.dropFirst(lifetimeName.count)), milliseconds >= 0
    else { return nil }
    return .milliseconds(milliseconds)
  }

  private static func extent(_ text: Substring) -> Range<Int64>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = Int64(ends[0]), let end = Int64(ends[1]), start < end else {
      return nil
    }
    return start..<end
  }
}
