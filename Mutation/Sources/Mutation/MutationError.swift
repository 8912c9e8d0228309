/// The error that ends a run.
struct MutationError: Error, CustomStringConvertible {
  var description: String
}
