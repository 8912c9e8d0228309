/// Reads what the migrations create, one statement after the other, as SQLite keeps it.
///
/// Each migration only creates; one that alters will have to say what comes of it.
struct SchemaScript {
  private var rest: ArraySlice<UInt8>

  /// What leads to that version.
  init(version: Int) {
    var text: [UInt8] = []
    for script in Schema.migrations.prefix(max(0, version)) { text += script.utf8 }
    rest = text[...]
  }

  /// The next statement that creates; `nil` after the last.
  mutating func next() -> ArraySlice<UInt8>? {
    while let end = rest.firstIndex(of: UInt8(ascii: ";")) {
      let statement = rest[..<end].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
      rest = rest[(end + 1)...]
      if statement.starts(with: "CREATE ".utf8) { return statement }
    }
    return nil
  }
}
