/// The members of an object of a schema, taken out one by one, so that unknown ones are found.
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
