/// The members of a JSON object, in order, each name once.
///
/// Names compare as Swift strings: `é` is one name in every composition. Finding a member costs the same in an
/// object of any size. Two objects are equal when they have the same members, in any order.
public struct JSONObject: Sendable {
  /// A name and its value.
  public struct Member: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value.
    public fileprivate(set) var value: JSONValue
  }

  /// The members in order.
  public private(set) var members: [Member] = []
  // Kept only for objects too big for a linear search.
  private var index: [String: Int] = [:]
  private static let smallCount = 8

  /// Creates an object without members.
  public init() {}

  /// Creates an object of these members, in this order; the last value of a repeated name counts.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    for (name, value) in members { self[name] = value }
  }

  /// Creates an object of these values, in the order of their names.
  public init(_ values: [String: JSONValue]) {
    self.init(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// True when there are no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The number of members.
  public var count: Int { members.count }

  /// The names in order.
  public var names: [String] { members.map(\.name) }

  /// The value of this name. Setting it replaces the value in place, appends it, or removes it (`nil`). A removal
  /// takes time proportional to the object's size.
  public subscript(name: String) -> JSONValue? {
    get { position(of: name).map { members[$0].value } }
    set {
      switch (position(of: name), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append(name, value)
      case (nil, nil): break
      }
    }
  }

  private func position(of name: String) -> Int? {
    members.count > Self.smallCount ? index[name] : members.firstIndex { $0.name == name }
  }

  private mutating func append(_ name: String, _ value: JSONValue) {
    members.append(Member(name: name, value: value))
    if members.count == Self.smallCount + 1 {
      rebuildIndex()
    } else if members.count > Self.smallCount {
      index[name] = members.count - 1
    }
  }

  private mutating func remove(at position: Int) {
    members.remove(at: position)
    if members.count > Self.smallCount { rebuildIndex() } else { index = [:] }
  }

  private mutating func rebuildIndex() {
    index = Dictionary(
      uniqueKeysWithValues: members.enumerated().map { ($0.element.name, $0.offset) })
  }
}

extension JSONObject: Hashable {
  /// True for the same members in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
  }

  /// Hashes the members, not their order.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for member in members { sum ^= member.hashValue }
    hasher.combine(sum)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object; a repeated name is a programming error, and its last value counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
