internal import BenchmarkKit
internal import Foundation

/// The picture of the cost of a read: beside the others, and by the number of records.
struct SpeedPlot {
  let reads: Section
  let scale: ReadScale
  let machine: Machine

  /// Writes it.
  func write(to path: String) throws {
    var drawing = Drawing()
    let end = BarChart(title: reads.title, figures: reads.figures)
      .draw(on: &drawing, x: 20, y: 32, width: 800)
    LineChart(title: "FreshStore and the floor, by number of records", scale: scale)
      .draw(on: &drawing, x: 20, y: end + 40, width: 800, height: 240)
    drawing.text(machine.line, 20, end + 306, style: "small")
    let svg = drawing.svg(
      width: 840, height: Int(end) + 320, title: "What a read costs, beside others")
    try Data(svg.utf8).write(to: URL(filePath: path))
  }
}
