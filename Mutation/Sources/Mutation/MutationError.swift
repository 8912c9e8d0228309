/// Why a run cannot go on.
struct MutationError: Error, CustomStringConvertible {
  var description: String
}
