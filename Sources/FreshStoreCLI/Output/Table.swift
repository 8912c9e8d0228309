#if CommandLine
  /// Rows of a listing: aligned under the names of their columns on a terminal, separated by tabs
  /// elsewhere.
  ///
  /// The first rows decide the width of a column; they are kept back until there are enough of them.
  struct Table {
    /// A column.
    struct Column: Sendable {
      let name: String
      let isNumber: Bool
      /// The colours of certain words.
      let colors: [String: Color]

      init(_ name: String, isNumber: Bool = false, colors: [String: Color] = [:]) {
        (self.name, self.isNumber, self.colors) = (name, isNumber, colors)
      }
    }

    private let columns: [Column]
    private let isAligned: Bool
    private var widths: [Int] = []
    private var held: [[String]] = []

    init(_ columns: [Column], isAligned: Bool) {
      (self.columns, self.isAligned) = (columns, isAligned)
    }

    /// Adds a row.
    mutating func add(_ row: [String]) throws(CommandFailure) {
      guard isAligned else { return try StandardOutput.line(row.joined(separator: "\t")) }
      guard widths.isEmpty else { return try print(row) }
      held.append(row)
      if held.count == 500 { try begin() }
    }

    /// Prints what is left.
    mutating func finish() throws(CommandFailure) {
      if widths.isEmpty, !held.isEmpty { try begin() }
    }

    private mutating func begin() throws(CommandFailure) {
      let names = columns.map(\.name)
      widths = names.indices.map { column in
        ([names] + held).map { TextWidth.columns(of: $0[column]) }.max() ?? 0
      }
      try print(names)
      for row in held { try print(row) }
      held = []
    }

    private func print(_ row: [String]) throws(CommandFailure) {
      var line = ""
      for (index, cell) in row.enumerated() {
        let (isLast, column) = (index == row.count - 1, columns[index])
        let filled =
          if column.isNumber {
            cell.indented(to: widths[index])
          } else {
            isLast ? cell : cell.padded(to: widths[index])
          }
        line += column.colors[cell]?.applied(to: filled) ?? filled
        if !isLast { line += "  " }
      }
      try StandardOutput.line(line)
    }
  }
#endif
