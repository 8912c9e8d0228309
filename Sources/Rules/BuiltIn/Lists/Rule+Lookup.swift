extension Rule {
  /// Kept by a value that `isKnown` among others, such as the keys of a collection that is at hand.
  ///
  /// - Parameter place: Where it must be known, in words.
  public static func existing(
    in place: String, _ isKnown: @escaping @Sendable (Value) -> Bool
  ) -> Rule {
    Rule(code: "unknown", parameters: ["place": .text(place)], isKnown)
  }

  /// Kept by a value that not yet `isKnown` among others.
  ///
  /// - Parameter place: Where it must not be known, in words.
  public static func unique(
    in place: String, _ isKnown: @escaping @Sendable (Value) -> Bool
  ) -> Rule {
    Rule(code: "already-known", parameters: ["place": .text(place)]) { !isKnown($0) }
  }
}
