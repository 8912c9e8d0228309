internal import Foundation
internal import Glibc

/// nginx with `proxy_cache`: one worker, copies in files, their keys in shared memory.
struct NginxCache: Cache {
  /// Its name, by which the tables find whom they compare with.
  static let title = "nginx, proxy_cache"

  let name = NginxCache.title
  let outlivesRestart = true
  let keepsLargeContent = true
  private let program: String

  init() throws {
    program = try Server.program("nginx", in: ["/usr/sbin"])
  }

  func command(at site: Site) throws -> [String] {
    let cache = try site.makeFolder("cache")
    let temporary = ["client_body", "fastcgi", "proxy", "scgi", "uwsgi"]
      .map { "\($0)_temp_path \(site.folder.path)/\($0);" }.joined(separator: "\n  ")
    // Its workers are another user's otherwise, who may not write here.
    let user = getuid() == 0 ? "user root;" : ""
    let settings = """
      \(user)
      worker_processes 1;
      daemon off;
      pid \(site.folder.path)/nginx.pid;
      error_log stderr;
      events { worker_connections 4096; }
      http {
        access_log off;
        keepalive_requests 1000000000;
        sendfile on;
        open_file_cache max=1000;
        \(temporary)
        proxy_cache_path \(cache) levels=1:2 keys_zone=copies:64m inactive=1d max_size=64g
          use_temp_path=off;
        upstream origin {
          server 127.0.0.1:\(site.origin);
          keepalive 64;
          keepalive_requests 1000000000;
        }
        server {
          listen 127.0.0.1:\(site.port) backlog=1024;
          location / {
            proxy_pass http://origin;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_cache copies;
            proxy_cache_lock on;
          }
        }
      }

      """
    return [program, "-e", "stderr", "-c", try site.write(settings, to: "nginx.conf")]
  }
}
