/// Apache with its copies in files.
struct ApacheDiskCache: Cache {
  let name = "Apache, mod_cache_disk"
  let outlivesRestart = true
  let keepsLargeContent = true
  private let apache: Apache

  init() throws {
    apache = try Apache(modules: ["cache_disk"])
  }

  func command(at site: Site) throws -> [String] {
    try apache.command(
      at: site,
      """
      CacheEnable disk /
      CacheRoot \(try site.makeFolder("cache"))
      CacheMaxFileSize 16777216
      """)
  }
}
