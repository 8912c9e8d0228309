import Rules

extension DocumentSchema {
  /// The issues that a schema finds in a document, as `path code`, in order.
  static func codes(_ schema: JSONValue, _ document: JSONValue) throws -> [String] {
    try DocumentSchema(json: schema).check(document).issues.map {
      $0.path.components.isEmpty ? $0.code : "\($0.path) \($0.code)"
    }
  }
}
