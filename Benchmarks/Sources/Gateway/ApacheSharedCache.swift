internal import Foundation

/// Apache with its copies in shared memory, as far as they are small.
struct ApacheSharedCache: Cache {
  let name = "Apache, mod_cache_socache"
  let outlivesRestart = false
  let keepsLargeContent = false
  private let apache: Apache

  init() throws {
    apache = try Apache(modules: ["cache_socache", "socache_shmcb"])
  }

  func command(at site: Site) throws -> [String] {
    try apache.command(
      at: site,
      """
      CacheEnable socache /
      CacheSocache shmcb:\(site.folder.path)/copies(67108864)
      """)
  }
}
