/// Three-valued logic over a list of parts.
enum Kleene {
  /// Asks the parts in order and stops at the first that says `settling`. Otherwise unknown
  /// outweighs the opposite verdict, and no parts at all are unknown.
  static func settle<Part>(
    _ parts: [Part], by settling: Verdict, ask: (Part) -> Opinion
  ) -> Opinion {
    var firstUnknown: Opinion?
    var last: Opinion?
    for part in parts {
      let opinion = ask(part)
      if opinion.verdict == settling { return opinion }
      if opinion.verdict == .unknown, firstUnknown == nil { firstUnknown = opinion }
      last = opinion
    }
    guard let last else { return .unknown(.combined("there are no parts")) }
    if let firstUnknown { return firstUnknown }
    return parts.count == 1
      ? last : Opinion(last.verdict, .combined("every part is \(last.verdict.rawValue)"))
  }
}
