internal import BenchmarkKit

/// The samples of one server.
struct Standing {
  /// The result of one turn.
  struct Sample {
    let outcome: Load.Outcome
    /// Of all processes of the server, for each request.
    let processorMicroseconds: Double
    /// The requests that the origin got meanwhile.
    let passedOn: Int
  }

  /// The unit that a rate counts.
  enum Rate: String {
    case requests = "requests a second"
    case megabytes = "MB a second"

    func value(of outcome: Load.Outcome) -> Double {
      switch self {
      case .requests: outcome.requestsPerSecond
      case .megabytes: outcome.megabytesPerSecond
      }
    }
  }

  let name: String
  private(set) var samples: [Sample] = []

  init(_ name: String) {
    self.name = name
  }

  mutating func add(_ sample: Sample) { samples.append(sample) }

  func median(_ value: (Sample) -> Double) -> Double { rates(value).median }

  func rates(_ value: (Sample) -> Double) -> Samples { Samples(samples.map(value)) }

  /// The table of several, each beside nginx.
  static func section(_ title: String, _ standings: [Standing], _ rate: Rate) -> Section {
    var section = Section(
      title,
      columns: [
        "who", rate.rawValue, "of rounds", "p50 µs", "p99 µs", "processor µs each", "÷ nginx",
      ])
    let reference = standings.first { $0.name == NginxCache.title }?
      .median { rate.value(of: $0.outcome) }
    for standing in standings {
      let rates = standing.rates { rate.value(of: $0.outcome) }
      let (median, high) = (
        standing.median { $0.outcome.median }, standing.median { $0.outcome.percentile99 }
      )
      let processor = standing.median(\.processorMicroseconds)
      section.add(row: [
        standing.name, rates.median.figures,
        "\(rates.percentile(0).figures)–\(rates.maximum.figures)", median.figures, high.figures,
        processor.figures, reference.map { (rates.median / $0).figures } ?? "",
      ])
      let name = "\(title), \(standing.name)"
      section.add(Figure(name, rates.median, rate.rawValue))
      section.add(Figure("\(name): p50", median, "µs"))
      section.add(Figure("\(name): p99", high, "µs"))
      section.add(Figure("\(name): processor", processor, "µs"))
      if let reference {
        section.add(Figure("\(name): ÷ nginx", rates.median / reference, ""))
      }
      let errors = standing.samples.reduce(0) { $0 + $1.outcome.errors }
      if errors > 0 { section.add(note: "\(standing.name): \(errors) errors") }
    }
    return section
  }
}
