#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import FreshStoreTools

  /// The output of `doctor --json`.
  struct DoctorOutput: Encodable {
    /// The programs involved.
    struct Versions: Encodable {
      let freshstore: String
      let sqlite: String
      let supportedFormat: Int
    }

    let path: String
    /// The worst level there is.
    let level: Finding.Level
    /// False when something is a problem.
    let isWell: Bool
    let findings: [Finding]
    let versions: Versions

    init(_ diagnosis: Diagnosis, _ findings: [Finding]) {
      path = diagnosis.path
      level = findings.map(\.level).max() ?? .ok
      isWell = level < .problem
      self.findings = findings
      versions = Versions(
        freshstore: FreshStoreCommand.configuration.version, sqlite: diagnosis.sqliteVersion,
        supportedFormat: diagnosis.supportedFormat)
    }
  }
#endif
