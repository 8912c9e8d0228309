/// Ends the process, as libFuzzer expects for a find, unless the law holds.
func law(
  _ law: @autoclosure () -> String, _ holds: Bool, file: StaticString = #fileID,
  line: UInt = #line
) {
  // A broken law is the find that the process runs for; unlike a precondition, this reports the law
  // in an optimised build too.
  guard holds else { fatalError("broken law: \(law())", file: file, line: line) }
}
