internal import BenchmarkKit

/// Horizontal bars on a logarithmic scale, the shortest first.
struct BarChart {
  private static let rowHeight = 21.0
  let title: String
  let figures: [Figure]

  /// Draws it from a corner on, in the given width, and returns its end.
  func draw(on drawing: inout Drawing, x: Double, y: Double, width: Double) -> Double {
    let labels = 250.0
    // Beyond the longest bar there has to be room for its figure.
    let scale = LogScale(of: figures.map(\.value), from: x + labels, to: x + width - 40)
    let bottom = y + 20 + Self.rowHeight * Double(figures.count)
    drawing.text(title, x, y, style: "heading")
    for decade in scale.decades {
      let place = scale.place(of: decade)
      drawing.line([(place, y + 14), (place, bottom)], style: "grid")
      drawing.text(Self.time(decade), place, bottom + 15, anchor: .middle, style: "small")
    }
    for (index, figure) in figures.sorted(by: { $0.value < $1.value }).enumerated() {
      let top = y + 20 + Self.rowHeight * Double(index)
      let end = scale.place(of: figure.value)
      drawing.text(figure.name, x + labels - 8, top + 13, anchor: .end)
      drawing.bar(
        x + labels, top + 2, width: end - x - labels, height: Self.rowHeight - 6,
        style: Self.style(of: figure.name))
      drawing.text(Self.time(figure.value), end + 6, top + 13, style: "faint")
    }
    return bottom + 15
  }

  /// A time in the unit that reads best.
  static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1000: "\(Int(nanoseconds.rounded())) ns"
    case ..<1_000_000: "\(short(nanoseconds / 1000)) µs"
    default: "\(short(nanoseconds / 1_000_000)) ms"
    }
  }

  private static func short(_ value: Double) -> String {
    value < 10 && value != value.rounded()
      ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))"
  }

  private static func style(of name: String) -> String {
    if name.hasPrefix(FreshStorePeer.name) { return "ours" }
    return name.hasPrefix("floor") ? "floor" : "peer"
  }
}
