/// A part of a schema document with its place, and readers for the expected types.
struct SchemaValue {
  let json: JSONValue
  let path: IssuePath

  func error(_ problem: SchemaError.Problem) -> SchemaError {
    SchemaError(path: path, problem: problem)
  }

  private func wrongType(_ expected: String) -> SchemaError {
    error(.wrongType(expected: expected, found: json.kind))
  }

  func text() throws(SchemaError) -> String {
    guard case .string(let text) = json else { throw wrongType("a text") }
    return text
  }

  func boolean() throws(SchemaError) -> Bool {
    guard case .boolean(let value) = json else { throw wrongType("true or false") }
    return value
  }

  /// Reads `true`, the only value: a schema leaves a rule out to switch it off.
  func isTrue() throws(SchemaError) {
    guard json == .boolean(true) else {
      throw error(.contradiction("only true belongs here: a rule is left out, not switched off"))
    }
  }

  func number() throws(SchemaError) -> JSONNumber {
    guard case .number(let number) = json else { throw wrongType("a number") }
    return number
  }

  func count() throws(SchemaError) -> Int {
    guard case .number(let number) = json, let count = number.integer(as: Int.self), count >= 0
    else { throw wrongType("a whole number from 0") }
    return count
  }

  func list() throws(SchemaError) -> [SchemaValue] {
    guard case .array(let items) = json else { throw wrongType("a list") }
    return items.enumerated().map { SchemaValue(json: $1, path: path.appending(.index($0))) }
  }

  func nonEmptyList() throws(SchemaError) -> [SchemaValue] {
    let items = try list()
    if items.isEmpty { throw error(.contradiction("an empty list means nothing here")) }
    return items
  }

  func members() throws(SchemaError) -> [(name: String, value: SchemaValue)] {
    guard case .object(let object) = json else { throw wrongType("an object") }
    return object.members.map { member in
      (member.name, SchemaValue(json: member.value, path: path.appending(.field(member.name))))
    }
  }

  func texts() throws(SchemaError) -> [String] {
    try nonEmptyList().map { (item) throws(SchemaError) in try item.text() }
  }

  /// A text or a list of them.
  func textOrTexts() throws(SchemaError) -> [String] {
    if case .string(let text) = json { [text] } else { try texts() }
  }

  func choice<Choice>(
    _ kind: String, _ type: Choice.Type = Choice.self
  ) throws(SchemaError) -> Choice
  where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
    let name = try text()
    guard let choice = Choice(rawValue: name) else {
      throw unknown(kind, name, among: Choice.allCases.map(\.rawValue))
    }
    return choice
  }

  func unknown(_ kind: String, _ name: String, among names: [String]) -> SchemaError {
    error(
      .unknownName(
        kind: kind, name: String(name.prefix(80)), nearest: NearestName.of(name, among: names)))
  }

  /// Reads the options of an object, or none from `true`.
  func options<Result>(
    _ read: (inout SchemaOptions) throws(SchemaError) -> Result
  ) throws(SchemaError) -> Result {
    var options = SchemaOptions(self, json == .boolean(true) ? [] : try members())
    let result = try read(&options)
    try options.finish()
    return result
  }
}

/// The members of an object of a schema. They are taken one by one, so that unknown members are found.
struct SchemaOptions {
  private let owner: SchemaValue
  private let members: [(name: String, value: SchemaValue)]
  private var known: [String] = []

  init(_ owner: SchemaValue, _ members: [(name: String, value: SchemaValue)]) {
    self.owner = owner
    self.members = members
  }

  mutating func take(_ name: String) -> SchemaValue? {
    known.append(name)
    return members.first { $0.name == name }?.value
  }

  mutating func need(_ name: String) throws(SchemaError) -> SchemaValue {
    guard let value = take(name) else { throw owner.error(.missing(name)) }
    return value
  }

  mutating func flag(_ name: String) throws(SchemaError) -> Bool {
    try take(name)?.boolean() ?? false
  }

  /// A range from `min` to `max`, either of which may be absent, or `exactly`.
  mutating func range() throws(SchemaError) -> (min: Int?, max: Int?, exactly: Int?) {
    let (min, max) = (try take("min")?.count(), try take("max")?.count())
    let exactly = try take("exactly")?.count()
    if min == nil, max == nil, exactly == nil { throw owner.error(.missing("min")) }
    if exactly != nil, min != nil || max != nil {
      throw owner.error(.contradiction("\"exactly\" stands alone, without \"min\" and \"max\""))
    }
    if let min, let max, min > max {
      throw owner.error(.contradiction("\"min\" \(min) is more than \"max\" \(max)"))
    }
    return (min, max, exactly)
  }

  func finish() throws(SchemaError) {
    for member in members where !known.contains(member.name) {
      throw owner.error(
        .unknownKey(
          String(member.name.prefix(80)), nearest: NearestName.of(member.name, among: known)))
    }
  }
}

extension Parameter {
  /// A parameter for a JSON value: lists as lists, objects and `null` as JSON text.
  static func of(_ json: JSONValue) -> Parameter {
    switch json {
    case .string(let text): .text(text)
    case .boolean(let truth): .boolean(truth)
    case .number(let number):
      number.integer(as: Int.self).map(Parameter.integer) ?? .text("\(number)")
    case .array(let items): .list(items.map(Parameter.of))
    case .null, .object: .text("\(json)")
    }
  }
}
