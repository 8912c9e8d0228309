/// A pattern as a tree.
indirect enum PatternNode: Sendable, Hashable {
  /// A place in the text that takes no character.
  enum Place: Sendable, Hashable {
    case start, end, wordBoundary, noWordBoundary
  }

  case one(PatternTest)
  case place(Place)
  case sequence([PatternNode])
  case either([PatternNode])
  case times(PatternNode, Int, Int?)
}
