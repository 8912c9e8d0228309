internal import FreshStore
internal import Rules

/// The unread fields of a line.
struct ExportFields {
  typealias Problem = ExportedRecord.Problem

  private var object: JSONObject
  private let place: String

  init(_ object: JSONObject, within place: String = "") {
    self.object = object
    self.place = place
  }

  init(_ line: [UInt8]) throws(Problem) {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONValue(parsing: line, JSONParsingOptions(bytes: .max))
    } catch {
      throw Problem(words: "\(error.reason), at byte \(error.position.offset + 1)")
    }
    guard case .object(let object) = value else {
      throw Problem(words: "it must be a JSON object")
    }
    self.init(object)
  }

  /// Takes a field, which then counts as read.
  mutating func take(_ name: String) -> JSONValue? {
    defer { object[name] = nil }
    return object[name]
  }

  mutating func text(_ name: String) throws(Problem) -> String {
    guard let text = try optionalText(name) else { throw problem(name, "it is missing") }
    return text
  }

  mutating func optionalText(_ name: String) throws(Problem) -> String? {
    switch take(name) {
    case nil: return nil
    case .string(let text)?: return text
    default: throw problem(name, "it must be a text")
    }
  }

  mutating func integer(_ name: String) throws(Problem) -> Int64? {
    guard let value = take(name) else { return nil }
    guard case .number(let number) = value, let integer = number.integer(as: Int64.self) else {
      throw problem(name, "it must be a whole number of 64 bits")
    }
    return integer
  }

  /// False when the field is missing.
  mutating func truth(_ name: String) throws(Problem) -> Bool {
    switch take(name) {
    case nil: return false
    case .boolean(let truth)?: return truth
    default: throw problem(name, "it must be true or false")
    }
  }

  mutating func texts(_ name: String) throws(Problem) -> [String] {
    guard let value = take(name) else { return [] }
    guard case .array(let items) = value else { throw problem(name, "it must be a list") }
    return try items.map { (item) throws(Problem) in
      guard case .string(let text) = item, !text.isEmpty else {
        throw problem(name, "each must be a text that is not empty")
      }
      return text
    }
  }

  /// Throws if a field is left.
  func end() throws(Problem) {
    guard let name = object.names.first else { return }
    throw problem(name.debugDescription, "no field of this format has that name")
  }

  private func problem(_ name: String, _ words: String) -> Problem {
    Problem(words: "\(place)\(name): \(words)")
  }
}
