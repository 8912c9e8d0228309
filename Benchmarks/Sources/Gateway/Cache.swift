/// One of the caches that are compared.
protocol Cache {
  /// Its name in the tables.
  var name: String { get }
  /// True when its copies are there again after a restart.
  var outlivesRestart: Bool { get }
  /// True when it keeps content of 8 MiB.
  var keepsLargeContent: Bool { get }

  /// Finds the program; throws where it is not installed.
  init() throws

  /// Writes its configuration into the folder of a site, and returns the command that serves there in
  /// the foreground.
  func command(at site: Site) throws -> [String]
}
