extension Optional: JSONConvertible where Wrapped: JSONConvertible {
  /// Reads `null` as `nil`.
  public init(json: JSONValue) throws(JSONTypeError) {
    self = json == .null ? nil : try Wrapped(json: json)
  }

  /// Writes `nil` as `null`.
  public func json() throws(JSONNumberError) -> JSONValue { try self?.json() ?? .null }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  /// Reads a list.
  public init(json: JSONValue) throws(JSONTypeError) {
    guard case .array(let items) = json else {
      throw JSONTypeError(expected: "a list", found: json)
    }
    self = []
    reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      do throws(JSONTypeError) { append(try Element(json: item)) } catch {
        throw error.inside(.index(index))
      }
    }
  }

  /// Writes a list.
  public func json() throws(JSONNumberError) -> JSONValue {
    .array(try map { (element) throws(JSONNumberError) in try element.json() })
  }
}

extension Set: JSONConvertible where Element: JSONConvertible {
  /// Reads a list in which nothing occurs twice.
  public init(json: JSONValue) throws(JSONTypeError) {
    let items = try [Element](json: json)
    self.init(items)
    guard count == items.count else {
      throw JSONTypeError(expected: "a list in which nothing occurs twice", found: json)
    }
  }

  /// Writes a list, in the order of its elements' JSON texts.
  public func json() throws(JSONNumberError) -> JSONValue {
    let items = try map { (element) throws(JSONNumberError) in try element.json() }
    return .array(items.map { ($0.text(), $0) }.sorted { $0.0 < $1.0 }.map(\.1))
  }
}

extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
  /// Reads an object.
  public init(json: JSONValue) throws(JSONTypeError) {
    guard case .object(let object) = json else {
      throw JSONTypeError(expected: "an object", found: json)
    }
    self = [:]
    for member in object.members {
      do throws(JSONTypeError) { self[member.name] = try Value(json: member.value) } catch {
        throw error.inside(.field(member.name))
      }
    }
  }

  /// Writes an object, in the order of its names.
  public func json() throws(JSONNumberError) -> JSONValue {
    var object = JSONObject()
    for (name, value) in sorted(by: { $0.key < $1.key }) { object[name] = try value.json() }
    return .object(object)
  }
}
