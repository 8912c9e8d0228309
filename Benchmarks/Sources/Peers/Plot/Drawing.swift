internal import Foundation

/// A picture in SVG, which a program writes piece by piece. Every piece has a class of the style
/// sheet, so that one picture suits light pages and dark ones.
struct Drawing {
  /// The anchor of a text.
  enum Anchor: String {
    case start, middle, end
  }

  private var pieces: [String] = []

  /// Writes words.
  mutating func text(
    _ words: String, _ x: Double, _ y: Double, anchor: Anchor = .start, style: String = "words"
  ) {
    let escaped = words.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    pieces.append(
      """
      <text class="\(style)" x="\(Self.short(x))" y="\(Self.short(y))" \
      text-anchor="\(anchor.rawValue)">\(escaped)</text>
      """)
  }

  /// Draws a bar.
  mutating func bar(
    _ x: Double, _ y: Double, width: Double, height: Double, style: String
  ) {
    pieces.append(
      """
      <rect class="\(style)" x="\(Self.short(x))" y="\(Self.short(y))" \
      width="\(Self.short(width))" height="\(Self.short(height))" rx="2"/>
      """)
  }

  /// Draws a line from point to point.
  mutating func line(_ points: [(x: Double, y: Double)], style: String) {
    let places = points.map { "\(Self.short($0.x)),\(Self.short($0.y))" }
    pieces.append(#"<polyline class="\#(style)" points="\#(places.joined(separator: " "))"/>"#)
  }

  /// Draws a dot.
  mutating func dot(_ x: Double, _ y: Double, style: String) {
    pieces.append(
      #"<circle class="\#(style)" cx="\#(Self.short(x))" cy="\#(Self.short(y))" r="3"/>"#)
  }

  /// The whole picture.
  func svg(width: Int, height: Int, title: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" role="img">
    <title>\(title)</title>
    <style>
    \(Self.style)
    </style>
    <rect class="page" width="\(width)" height="\(height)" rx="8"/>
    \(pieces.joined(separator: "\n"))
    </svg>

    """
  }

  private static func short(_ value: Double) -> String {
    let rounded = (value * 10).rounded() / 10
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  /// The page is drawn, too: the picture is readable even where the page around it and the reader's
  /// preference differ.
  private static let style = """
    .page { fill: #ffffff }
    text { font: 12px system-ui, sans-serif; fill: #1f2328 }
    .heading { font-weight: 600; font-size: 14px }
    .faint { fill: #59636e }
    .small { font-size: 11px; fill: #59636e }
    .grid { stroke: #d1d9e0; stroke-width: 1; fill: none }
    .ours { fill: #0969da; stroke: #0969da }
    .floor { fill: #818b98; stroke: #818b98 }
    .peer { fill: #c69026; stroke: #c69026 }
    polyline.ours, polyline.floor { fill: none; stroke-width: 2 }
    .dashed { stroke-dasharray: 5 4 }
    @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 }
    text { fill: #f0f6fc }
    .faint, .small { fill: #9198a1 }
    .grid { stroke: #30363d }
    .ours { fill: #4493f8; stroke: #4493f8 }
    }
    """
}
