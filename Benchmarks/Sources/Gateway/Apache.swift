internal import BenchmarkKit
internal import Foundation
internal import Glibc

/// Debian's Apache: one process of 256 threads.
struct Apache {
  private static let folder = "/usr/lib/apache2/modules"

  private let program: String
  private let modules: [String]

  /// - Parameter modules: Those of its cache.
  init(modules: [String]) throws {
    program = try Server.program("apache2", in: ["/usr/sbin"])
    self.modules = ["mpm_event", "authz_core", "proxy", "proxy_http", "cache"] + modules
    for path in self.modules.map(Self.path(of:)) where !FileManager.default.fileExists(atPath: path)
    {
      throw BenchmarkFailure(words: "\(path) is not installed")
    }
  }

  /// - Parameter cache: The lines of its cache.
  func command(at site: Site, _ cache: String) throws -> [String] {
    let lines = modules.map { "LoadModule \($0)_module \(Self.path(of: $0))" }
    // It serves as nobody who may write everywhere.
    let user = getuid() == 0 ? "User www-data\nGroup www-data" : ""
    let settings = """
      ServerRoot \(site.folder.path)
      DefaultRuntimeDir \(site.folder.path)
      PidFile \(site.folder.path)/apache.pid
      ErrorLog \(site.folder.path)/error.log
      ServerName localhost
      Listen 127.0.0.1:\(site.port)
      \(lines.joined(separator: "\n"))
      \(user)
      ServerLimit 1
      StartServers 1
      ThreadLimit 256
      ThreadsPerChild 256
      MaxRequestWorkers 256
      MinSpareThreads 1
      MaxSpareThreads 256
      KeepAliveTimeout 60
      MaxKeepAliveRequests 0
      ProxyPass / http://127.0.0.1:\(site.origin)/ keepalive=On
      CacheLock on
      CacheLockPath \(try site.makeFolder("locks"))
      \(cache)

      """
    return [program, "-DFOREGROUND", "-f", try site.write(settings, to: "apache.conf")]
  }

  private static func path(of module: String) -> String { "\(folder)/mod_\(module).so" }
}
