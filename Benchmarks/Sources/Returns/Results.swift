internal import BenchmarkKit

/// The tables of what was measured.
struct Results {
  private let returns: [Return]

  init(_ returns: [Return]) {
    self.returns = returns
  }

  /// The table of one variant.
  func section(of variant: Variant) -> Section {
    var section = Section(
      "Returns of the network: \(variant.name)",
      columns: ["away", "until", "times", "p50 ms", "p99 ms", "max ms"])
    for kind in Return.Kind.allCases {
      let chosen = returns.filter { $0.kind == kind }
      add(chosen.compactMap(\.change), "the change is reported", kind, variant, to: &section)
      add(chosen.compactMap(\.push), "a push has begun here", kind, variant, to: &section)
      add(chosen.compactMap(\.connection), "a new connection there", kind, variant, to: &section)
      add(chosen.map(\.request), "a request there", kind, variant, to: &section)
      for wasBusy in [false, true] {
        add(
          chosen.filter { $0.wasBusy == wasBusy }.map(\.request),
          "the same, \(wasBusy ? "at work" : "idle") as it went", kind, variant, to: &section)
      }
    }
    let late = Dictionary(grouping: returns.compactMap(\.culprit)) { $0 }
    for (culprit, times) in late.sorted(by: { $0.value.count > $1.value.count }) {
      section.add(note: "later than 100 ms: \(times.count) times waited for \(culprit)")
    }
    return section
  }

  /// Whether all of them were fast enough.
  func verdict() -> Section {
    var section = Section(
      "All returns", columns: ["until", "times", "p50 ms", "p99 ms", "max ms"])
    let own = returns.filter { $0.culprit == nil || $0.culprit == Return.synchronizer }
    let measured = [
      ("a push has begun here", returns.compactMap(\.push)),
      ("a request there", returns.map(\.request)),
      ("the same, where the kernel made nobody wait", own.map(\.request)),
    ]
    for (until, values) in measured {
      guard !values.isEmpty else { continue }
      let samples = Samples(values)
      section.add(row: [until, "\(samples.count)"] + Self.figures(samples).map(\.figures))
      section.judge("until \(until), p99", samples.percentile(99), atMost: Return.limit, "ms")
    }
    return section
  }

  private func add(
    _ values: [Double], _ until: String, _ kind: Return.Kind, _ variant: Variant,
    to section: inout Section
  ) {
    guard !values.isEmpty else { return }
    let samples = Samples(values)
    let figures = Self.figures(samples)
    section.add(
      row: [kind.rawValue, until, "\(samples.count)"] + figures.map(\.figures))
    for (name, value) in zip(["p50", "p99", "max"], figures) {
      section.add(
        Figure("\(variant.rawValue), away \(kind.rawValue), \(until): \(name)", value, "ms"))
    }
  }

  private static func figures(_ samples: Samples) -> [Double] {
    [samples.median, samples.percentile(99), samples.maximum]
  }
}
