#if CommandLine

  /// Rows of a listing: aligned under the names of their columns on a terminal, separated by tabs
  /// elsewhere.
  ///
  /// The first rows decide the width of a column; they are kept back until there are enough of them. Where
  /// a terminal is too narrow for a row, the texts of one column lose their middle.
  struct Table {
    /// A column.
    struct Column: Sendable {
      let name: String
      let isNumber: Bool
      /// True where a text may be shortened; of one column at most.
      let isShortened: Bool
      /// The colours of certain words.
      let colors: [String: Color]

      init(
        _ name: String, isNumber: Bool = false, isShortened: Bool = false,
        colors: [String: Color] = [:]
      ) {
        (self.name, self.isNumber) = (name, isNumber)
        (self.isShortened, self.colors) = (isShortened, colors)
      }
    }

    private let columns: [Column]
    private let isAligned: Bool
    private var widths: [Int] = []
    private var held: [[String]] = []
    /// The width that a text of the column to be shortened may have.
    private var longest = Int.max
    /// What is left of such a text, however narrow the terminal is.
    private static let shortest = 20

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
      fit(Screen.size.width)
      try print(names)
      for row in held { try print(row) }
      held = []
    }

    /// Leaves the column that may be shortened as much as the others leave of the terminal. A text at the
    /// end of a row may run on.
    private mutating func fit(_ width: Int) {
      guard let column = columns.firstIndex(where: \.isShortened) else { return }
      var others = 2 * (widths.count - 1)
      for index in widths.indices where index != column {
        let runsOn = index == widths.count - 1 && !columns[index].isNumber
        others += runsOn ? TextWidth.columns(of: columns[index].name) : widths[index]
      }
      longest = max(Self.shortest, width - others)
      widths[column] = min(widths[column], longest)
    }

    private func print(_ row: [String]) throws(CommandFailure) {
      var line = ""
      for (index, text) in row.enumerated() {
        let (isLast, column) = (index == row.count - 1, columns[index])
        let cell = column.isShortened ? TextWidth.shortened(text, to: longest) : text
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

  /// A colour of words in a listing on a terminal; the words say the same without it.
  enum Color: String {
    case green = "32"
    case yellow = "33"
    case red = "31"
    case faint = "2"

    /// True where standard output shows colours, and nobody has asked for none
    /// (https://no-color.org).
    static let areWanted: Bool = {
      guard Process.outputIsTerminal, Process.variable("NO_COLOR")?.isEmpty ?? true,
        let terminal = Process.variable("TERM")
      else { return false }
      return terminal != "dumb" && !terminal.isEmpty
    }()

    /// The text in this colour (ECMA-48 section 8.3.117); unchanged where none is wanted.
    func applied(to text: String) -> String {
      Self.areWanted ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
  }
#endif
