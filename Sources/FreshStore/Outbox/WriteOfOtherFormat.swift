/// A local write made by another version of the program.
struct WriteOfOtherFormat: Error, CustomStringConvertible {
  let codec: String
  let version: Int
  let own: String
  let ownVersion: Int

  var description: String {
    "it was written as \(codec) of content version \(version), not as \(own) of \(ownVersion)"
  }
}
