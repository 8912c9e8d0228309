import FreshStore
import FreshSync
import Strategies

// The app of the article, piece by piece; `InspectionAppTests` runs it.

// begin: inspection: objects
struct Site: Codable {
  var name: String
  var visits = 0
}

struct Report: Codable {
  var site: String
  var findings: [String] = []
}
// end

// begin: inspection: app
struct Inspections {
  let sites: RecordCollection<Site>
  let reports: RecordCollection<Report>
  let photos: RecordCollection<[UInt8]>
  let synchronizer: Synchronizer

  init(_ store: Store, origin: Origin? = nil) throws {
    let policy = Policy.offlineFirst.expiring(.minutes(15)).origin(origin)
    sites = try store.collection("sites", policy: policy)
    reports = try store.collection("reports", policy: policy)
    photos = try store.bytes("photos", policy: policy.expiring(.never))
    synchronizer = Synchronizer(store)
  }
}
// end

// begin: inspection: remote
protocol Remote<Value>: Sendable {
  associatedtype Value: Sendable
  func fetch(_ previous: Previous<Value>) async throws -> Fetched<Value>
  func push(_ write: PendingWrite<Value>) async throws -> Pushed<Value>
  func list(_ previous: PreviousList) async throws -> SourceListChange<Value>
}
// end

// begin: inspection: connect
extension Inspections {
  func connect(
    _ siteServer: some Remote<Site>, _ reportServer: some Remote<Report>,
    _ photoServer: some Remote<[UInt8]>
  ) {
    synchronizer.add(
      photos, fetch: { try await photoServer.fetch($0) },
      push: { try await photoServer.push($0) })
    follow(sites, siteServer) { mine, site, base in
      site.visits += mine.visits - (base?.visits ?? 0)
    }
    follow(reports, reportServer) { mine, report, _ in
      let theirs = report.findings
      report.findings += mine.findings.filter { !theirs.contains($0) }
    }
  }
}
// end

// begin: inspection: follow
extension Inspections {
  private func follow<Value>(
    _ collection: RecordCollection<Value>, _ server: some Remote<Value>,
    add: @escaping @Sendable (_ mine: Value, _ theirs: inout Value, _ base: Value?) -> Void
  ) {
    let merge = ConflictPolicy<Value>.merge { conflict in
      guard let mine = conflict.local else { return .remote }
      guard var both = conflict.remote else { return .merged(mine) }
      add(mine, &both, conflict.base)
      return .merged(both)
    }
    synchronizer.add(
      collection, conflicts: merge, fetch: { try await server.fetch($0) },
      push: { try await server.push($0) })
    synchronizer.follow("all", of: collection) { try await server.list($0) }
  }
}
// end

// begin: inspection: form
struct ReportForm {
  let key: String
  private var basis: Basis<Report>
  var report: Report

  init(_ key: String, at site: String, in reports: RecordCollection<Report>) throws {
    self.key = key
    basis = try reports.read(key).basis
    report = basis.value ?? Report(site: site)
  }

  mutating func save(in reports: RecordCollection<Report>) async throws -> OutboxEntry {
    let saved = try await reports.write(report, for: key, basedOn: basis)
    basis = saved.basis
    return saved.entry
  }
}
// end

// begin: inspection: writes
extension Inspections {
  func countVisit(to site: String) async throws {
    try await sites.update(site) { $0?.visits += 1 }
  }

  func attach(_ photo: [UInt8], _ name: String, to report: OutboxEntry) async throws {
    try await photos.write(
      photo, for: "\(report.key)-\(name)", as: .create,
      options: WriteOptions(contentType: "image/jpeg", after: report.id))
  }
}
// end

// begin: inspection: screen
extension RecordState<Site> {
  var line: String {
    var line = value.map { "\($0.name) (\($0.visits))" } ?? "…"
    if waiting != nil { line += ", not sent" }
    if !decision.isServable { line += ", old" }
    return line
  }
}
// end

// begin: inspection: sign out
extension Inspections {
  func signOut(_ run: Task<Void, any Error>) async throws {
    synchronizer.stop()
    try await run.value
    try await synchronizer.store.wipe(removingDamagedFiles: true)
    try await synchronizer.store.close()
  }
}
// end
