/// Varnish with its copies in memory, which is its default.
struct VarnishCache: Cache {
  let name = "Varnish, malloc"
  let outlivesRestart = false
  let keepsLargeContent = true
  private let program: String

  init() throws {
    program = try Server.program("varnishd", in: ["/usr/sbin"])
  }

  func command(at site: Site) throws -> [String] {
    [
      program, "-F", "-j", "none", "-n", try site.makeFolder("varnish"),
      "-a", "127.0.0.1:\(site.port)", "-b", "127.0.0.1:\(site.origin)", "-T", "none",
      "-s", "malloc,2g", "-p", "thread_pools=1", "-p", "thread_pool_min=100",
      "-p", "thread_pool_max=500",
    ]
  }
}
