/// This process may not make network namespaces, or lacks the tools to fill them.
struct NoNetwork: Error, CustomStringConvertible {
  let cause: String
  var description: String { "no network namespaces (\(cause))" }
}
