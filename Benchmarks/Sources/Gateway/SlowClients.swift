internal import BenchmarkKit

/// The memory while many clients read a large copy slowly.
struct SlowClients {
  private let grounds: Grounds
  private let count: Int
  private let ticks: Int

  init(_ grounds: Grounds) {
    self.grounds = grounds
    count = grounds.isQuick ? 20 : 200
    ticks = grounds.isQuick ? 20 : 200
  }

  func measure() async throws -> Section {
    var section = Section(
      "Memory while \(count) clients read 8 MiB at 100 kB/s, MB",
      columns: ["who", "before", "peak", "kB a client"])
    for cache in grounds.caches where cache.keepsLargeContent {
      let server = try await grounds.start(cache, at: try grounds.site())
      for _ in 0..<3 { _ = try Request.get(Self.path, on: server.port) }
      // What is freed late is no memory of the clients.
      try await Task.sleep(for: .seconds(1))
      let before = server.processes.memory.all
      let peak = try await peak(of: server)
      try server.end()
      let each = (peak - before) * 1000 / Double(count)
      section.add(row: [cache.name, before.figures, peak.figures, each.figures])
      section.add(Figure("slow clients, peak, \(cache.name)", peak, "MB"))
      section.add(Figure("slow clients, before, \(cache.name)", before, "MB"))
    }
    section.add(
      note:
        "proportional set sizes, asked for five times a second in \(ticks / 10) s; what the kernel keeps for "
        + "sockets is not in them")
    return section
  }

  private static let path = "/large"

  /// Lets the clients read ten times a second, for a while.
  private func peak(of server: RunningServer) async throws -> Double {
    let clients = try (0..<count).map { _ in
      try SlowClient(Self.path, on: server.port, size: 10_000)
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
