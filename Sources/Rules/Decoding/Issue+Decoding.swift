extension Issue {
  /// The issue of a part of a document that cannot be decoded: `required` where it is missing or
  /// null, `wrong-type` with the type `expected`, else `unreadable`; each with the `detail` the
  /// decoder gave.
  init(decoding error: any Error, at path: [any CodingKey]) {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      self.init("required", context, [key])
    case DecodingError.valueNotFound(_, let context):
      self.init("required", context)
      parameters["found"] = "null"
    case DecodingError.typeMismatch(let type, let context):
      self.init("wrong-type", context)
      parameters["expected"] = .text("\(type)")
      // Decoders describe their findings in words only, which are the detail.
      parameters["found"] = "another kind of value"
    case DecodingError.dataCorrupted(let context):
      self.init("unreadable", context)
    default:
      self.init(
        "unreadable", path: IssuePath(coding: path),
        parameters: ["detail": .text(String(describing: error))])
    }
  }

  private init(
    _ code: String, _ context: DecodingError.Context, _ last: [any CodingKey] = []
  ) {
    self.init(
      code, path: IssuePath(coding: context.codingPath + last),
      parameters: ["detail": .text(context.debugDescription)])
  }
}
