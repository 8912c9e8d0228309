#if CommandLine
  internal import ArgumentParser

  /// The record that an argument names.
  struct RecordName: Sendable {
    let collection: String
    let key: String
    /// `nil` when the key is no http or https address.
    let url: URLText?

    /// Says that nothing is stored under it.
    func noteMissing() {
      Console.note(
        "\(Console.quoted(key: key)): nothing is stored under the key in the collection "
          + collection.debugDescription)
    }

    /// Reads a key or a URL. The address of a URL is normalised, so that two spellings name one
    /// record.
    init(_ argument: String, collection: String?) throws(ValidationError) {
      url = URLText.isURL(argument) ? try URLText(argument) : nil
      key = url?.text ?? argument
      self.collection = collection ?? (url == nil ? "default" : "http")
      guard !key.isEmpty else {
        throw ValidationError("a key must not be empty; it is 1 to 1,024 bytes of UTF-8")
      }
      guard key.utf8.count <= 1024 else {
        throw ValidationError(
          "the key has \(key.utf8.count) bytes; a key is 1 to 1,024 bytes of UTF-8"
        )
      }
      guard (1...255).contains(self.collection.utf8.count) else {
        throw ValidationError("the name of a --collection is 1 to 255 bytes of UTF-8")
      }
    }
  }
#endif
