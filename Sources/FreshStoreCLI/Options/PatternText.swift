#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway

  /// A pattern of addresses, as people write it.
  enum PatternText {
    static func parse(_ text: String) throws -> AddressPattern {
      guard !isList(text) else { throw ValidationError(oneAtATime) }
      guard let pattern = AddressPattern(text) else {
        throw ValidationError(
          "its pattern is a path, as in '/api/*', or a whole address that begins with http:// or https://"
        )
      }
      return pattern
    }

    /// True for several with commas between them, which would be one that nothing fits. A comma with something else behind
    /// it is one of an address.
    static func isList(_ text: String) -> Bool {
      text.split(separator: ",", omittingEmptySubsequences: false).dropFirst().contains { part in
        let next = part.drop { $0 == " " }
        return ["/", "http://", "https://"].contains { next.hasPrefix($0) }
      }
    }

    static let oneAtATime =
      "a comma stands before a second pattern; give the option once for each, and write * for a comma of an address"
  }
#endif
