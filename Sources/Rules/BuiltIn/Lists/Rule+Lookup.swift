extension Rule {
  /// Kept by a value for which `isKnown` holds, such as a key of a collection at hand.
  ///
  /// - Parameter place: The place in which it must be known, in words.
  public static func existing(
    in place: String, _ isKnown: @escaping @Sendable (Value) -> Bool
  ) -> Rule {
    Rule(code: "unknown", parameters: ["place": .text(place)], isKnown)
  }

  /// Kept by a value for which `isKnown` does not hold yet.
  ///
  /// - Parameter place: The place in which it must not be known, in words.
  public static func unique(
    in place: String, _ isKnown: @escaping @Sendable (Value) -> Bool
  ) -> Rule {
    Rule(code: "already-known", parameters: ["place": .text(place)]) { !isKnown($0) }
  }
}
