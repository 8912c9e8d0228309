#if HTTP
  import Foundation
  import FreshHTTP
  import FreshStore
  import FreshSync
  import Strategies

  // The app of the article, piece by piece; `InspectionAppTests` runs it.

  // begin: inspection: app
  struct Site: Codable {
    var name: String
    var visits = 0
  }

  struct Report: Codable {
    var site: String
    var findings: [String] = []
  }

  struct Inspections {
    let sites: RecordCollection<Site>
    let reports: RecordCollection<Report>
    let photos: RecordCollection<[UInt8]>
    let synchronizer: Synchronizer

    init(_ store: Store, over web: HTTPSource, at api: String = "https://example.org") throws {
      let origin = try HTTPSource.origin(of: api)
      let policy = Policy.offlineFirst.expiring(.minutes(15)).origin(origin).from(web)
      sites = try store.collection("sites", policy: policy)
      reports = try store.collection("reports", policy: policy)
      photos = try store.bytes("photos", policy: policy.expiring(.never))
      synchronizer = Synchronizer(store)
      synchronizer.add(
        sites, from: try HTTPRecordSource(web, at: "\(api)/sites", of: Site.self),
        following: "all",
        conflicts: .merging { mine, site, base in
          site.visits += mine.visits - (base?.visits ?? 0)
        })
      synchronizer.add(
        reports, from: try HTTPRecordSource(web, at: "\(api)/reports", of: Report.self),
        following: "all",
        conflicts: .merging { mine, report, _ in
          let theirs = report.findings
          report.findings += mine.findings.filter { !theirs.contains($0) }
        })
      synchronizer.add(
        photos, from: try HTTPRecordSource(web, at: "\(api)/photos", codec: BytesCodec()))
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
      let line = value.map { "\($0.name) (\($0.visits))" } ?? "…"
      return line + (waiting == nil ? "" : ", not sent") + (isStale ? ", old" : "")
    }
  }
  // end

  // begin: inspection: user
  extension Inspections {
    init(
      user: String, over web: HTTPSource, in folder: URL,
      configuration: Configuration = Configuration()
    ) throws {
      let home = folder.appending(path: user)
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      let file = home.appending(path: "store.db").path
      try self.init(Store(path: file, configuration: configuration), over: web)
      synchronizer.start()
    }

    func signOut() async throws {
      await synchronizer.stop()
      try await synchronizer.store.wipe(removingDamagedFiles: true)
      try await synchronizer.store.close()
    }
  }
  // end

  func credentials(of user: String, _ tokens: Tokens) -> Credentials {
    Credentials(account: user) { _ in
      guard let token = await tokens.current else { throw SignedOut() }
      return ["Authorization": "Bearer \(token)"]
    } renew: {
      try await tokens.renew()
    }
  }

  /// A keychain whose token is too old at first.
  actor Tokens {
    private(set) var current: String? = "old"

    func renew() async throws { current = "new" }
  }
#endif
