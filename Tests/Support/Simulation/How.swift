/// How a record is asked for.
public enum How: String, Codable, CaseIterable, Sendable {
  case plain, refresh, sourceFirst, strict, copyOnly
}
