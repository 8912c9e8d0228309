#if CommandLine

  /// Rows of a listing: aligned under the names of their columns on a terminal, separated by tabs elsewhere.
  ///
  /// The first rows decide the widths of columns, so that they are held back until there are enough. On a narrow
  /// terminal the texts of one column lose their middle.
  struct Table {
    struct Column: Sendable {
      let name: String
      let isNumber: Bool
      /// True when texts may be shortened; for one column at most.
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
    /// The longest text of the shortened column.
    private var longest = Int.max
    /// The least width of such a text, on any terminal.
    private static let shortest = 20

    init(_ columns: [Column], isAligned: Bool) {
      (self.columns, self.isAligned) = (columns, isAligned)
    }

    mutating func add(_ row: [String]) throws(CommandFailure) {
      guard isAligned else { return try StandardOutput.line(row.joined(separator: "\t")) }
      guard widths.isEmpty else { return try print(row) }
      held.append(row)
      if held.count == 500 { try begin() }
    }

    /// Prints the rows that are held back.
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

    /// Gives the shortened column the width that the other columns leave. A text at the end of a row may run on.
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

  /// A colour of words in a listing on a terminal. The words say the same without it.
  enum Color: String {
    case green = "32"
    case yellow = "33"
    case red = "31"
    case faint = "2"

    /// True when standard output shows colours, and the user has not turned them off (https://no-color.org).
    static let areWanted: Bool = {
      guard Process.outputIsTerminal, Process.variable("NO_COLOR")?.isEmpty ?? true,
        let terminal = Process.variable("TERM")
      else { return false }
      return terminal != "dumb" && !terminal.isEmpty
    }()

    /// The text in this colour (ECMA-48 section 8.3.117); unchanged when colours are off.
    func applied(to text: String) -> String {
      Self.areWanted ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
  }
#endif
