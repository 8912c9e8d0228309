#if CommandLine
  /// What is not known, in JSON, where a missing field would say something else.
  struct JSONNull: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }
#endif
