/// The way in which a record is requested.
public enum How: String, Codable, CaseIterable, Sendable {
  case plain, refresh, sourceFirst, strict, copyOnly
}
