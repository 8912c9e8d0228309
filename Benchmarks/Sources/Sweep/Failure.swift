/// Why something could not be measured.
struct Failure: Error, CustomStringConvertible {
  let words: String
  var description: String { words }
}
