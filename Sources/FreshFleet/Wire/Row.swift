#if Fleet
  /// A row as received: the columns in PostgreSQL's binary form. A column of another form than expected
  /// reads as NULL.
  struct Row: Sendable {
    let columns: [[UInt8]?]

    /// A row of some of the columns.
    func picking(_ places: some Sequence<Int>) -> Row { Row(columns: places.map { columns[$0] }) }

    func bytes(_ column: Int) -> [UInt8]? { columns[column] }

    func text(_ column: Int) -> String {
      String(decoding: columns[column] ?? [], as: UTF8.self)
    }

    /// An integer of any size.
    func integer(_ column: Int) -> Int64? {
      guard let bytes = columns[column], let first = bytes.first, bytes.count <= 8 else {
        return nil
      }
      return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }

    func boolean(_ column: Int) -> Bool { columns[column] == [1] }

    func milliseconds(_ column: Int) -> Duration? { integer(column).map { .milliseconds($0) } }

    /// An array of byte strings without NULLs.
    func byteStrings(_ column: Int) -> [[UInt8]] {
      guard let bytes = columns[column], bytes.count >= 20 else { return [] }
      var values: [[UInt8]] = []
      var index = 20
      while index + 4 <= bytes.count {
        let length = bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
        index += 4
        guard length <= bytes.count - index else { return values }
        values.append(Array(bytes[index..<index + length]))
        index += length
      }
      return values
    }
  }
#endif
