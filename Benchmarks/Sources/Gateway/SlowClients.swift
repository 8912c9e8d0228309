internal import BenchmarkKit

/// The memory while many clients read a large copy slowly.
struct SlowClients {
  /// The copy that the clients read.
  enum Copy {
    /// 8 MiB, for 20 s.
    case large
    /// 50 MB, for 15 s: much more than a server should have in memory for each of them.
    case huge

    fileprivate var words: String { self == .large ? "8 MiB" : "50 MB" }
    fileprivate var path: String { self == .large ? "/large" : "/huge" }
    fileprivate var ticks: Int { self == .large ? 200 : 150 }
  }

  private let grounds: Grounds
  private let copy: Copy
  private let count: Int
  private let ticks: Int

  init(_ grounds: Grounds, _ copy: Copy) {
    (self.grounds, self.copy) = (grounds, copy)
    count = grounds.isQuick ? 20 : 200
    ticks = grounds.isQuick ? 20 : copy.ticks
  }

  func measure() async throws -> Section {
    var section = Section(
      "Memory while \(count) clients read \(copy.words) at 100 kB/s, MB",
      columns: ["who", "before", "peak", "kB a client"])
    // The others have limits of their own for what they keep.
    let caches: [any Cache] =
      copy == .large ? grounds.caches.filter { $0.keepsLargeContent } : [grounds.freshStore]
    for cache in caches {
      let server = try await grounds.start(cache, at: try grounds.site())
      for _ in 0..<3 { _ = try Request.get(copy.path, on: server.port) }
      // Memory that the server frees late does not belong to the clients.
      try await Task.sleep(for: .seconds(1))
      let before = server.processes.memory.all
      let peak = try await peak(of: server)
      try server.end()
      let each = (peak - before) * 1000 / Double(count)
      section.add(row: [cache.name, before.figures, peak.figures, each.figures])
      let name = copy == .large ? "slow clients" : "slow clients of \(copy.words)"
      section.add(Figure("\(name), peak, \(cache.name)", peak, "MB"))
      section.add(Figure("\(name), before, \(cache.name)", before, "MB"))
      if copy == .huge { section.judge("peak", peak, below: Self.wanted, "MB") }
    }
    section.add(
      note:
        "proportional set sizes, asked for five times a second in \(ticks / 10) s; what the kernel keeps for "
        + "sockets is not in them")
    return section
  }

  /// The memory that the gateway may take for them.
  private static let wanted = 150.0

  /// Lets the clients read ten times a second, for a while.
  private func peak(of server: RunningServer) async throws -> Double {
    let clients = try (0..<count).map { _ in
      try SlowClient(copy.path, on: server.port, size: 10_000)
    }
    var peak = server.processes.memory.all
    let start = ContinuousClock.now
    for tick in 1...ticks {
      for client in clients { try client.take() }
      if tick % 2 == 0 { peak = max(peak, server.processes.memory.all) }
      // The pace of the clients.
      try await Task.sleep(until: start + .milliseconds(100 * tick), clock: .continuous)
    }
    return peak
  }
}
