internal import BenchmarkKit

/// Lines over a number of records, both scales logarithmic.
struct LineChart {
  let title: String
  let scale: ReadScale

  /// Draws it from a corner on, in the given width and height.
  func draw(on drawing: inout Drawing, x: Double, y: Double, width: Double, height: Double) {
    let (left, right, top, bottom) = (x + 50, x + width - 200, y + 14, y + height - 18)
    let across = LogScale(of: scale.sizes.map(Double.init), from: left, to: right)
    let up = LogScale(of: scale.lines.flatMap(\.costs), from: bottom, to: top)
    drawing.text(title, x, y, style: "heading")
    for decade in up.decades {
      let place = up.place(of: decade)
      drawing.line([(left, place), (right, place)], style: "grid")
      drawing.text(BarChart.time(decade), left - 8, place + 4, anchor: .end, style: "small")
    }
    for size in scale.sizes {
      let place = across.place(of: Double(size))
      drawing.line([(place, top), (place, bottom)], style: "grid")
      drawing.text(Double(size).figures, place, bottom + 18, anchor: .middle, style: "small")
    }
    for line in scale.lines {
      let points = zip(scale.sizes, line.costs).map { size, cost in
        (x: across.place(of: Double(size)), y: up.place(of: cost))
      }
      let style = line.name == "floor" ? "floor" : "ours"
      drawing.line(points, style: line.name.hasSuffix("alone") ? "\(style) dashed" : style)
      for point in points { drawing.dot(point.x, point.y, style: style) }
    }
    label(on: &drawing, right: right, up)
  }

  /// Names the lines at their ends, each at least a line of text below the one above it.
  private func label(on drawing: inout Drawing, right: Double, _ up: LogScale) {
    let ends = scale.lines.map { (name: $0.name, y: up.place(of: $0.costs[$0.costs.count - 1])) }
    var lowest = -Double.infinity
    for end in ends.sorted(by: { $0.y < $1.y }) {
      lowest = max(end.y, lowest + 14)
      drawing.text(end.name, right + 10, lowest + 4)
    }
  }
}
