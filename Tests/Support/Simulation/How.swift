/// The way in which a record is requested.
public enum How: String, Codable, CaseIterable, Sendable {
  case plain, renew, refresh, sourceFirst, sourceOnly, strict, cacheOnly

  /// True when the source is asked whatever the copy.
  var asksAlways: Bool {
    switch self {
    case .refresh, .sourceFirst, .sourceOnly: true
    case .plain, .renew, .strict, .cacheOnly: false
    }
  }
}
