#if CommandLine
  internal import ArgumentParser
  internal import FreshHTTP
  internal import Strategies

  /// An http or https address as a key: scheme and host in lower case, no default port, a path, no
  /// fragment.
  struct URLText: Sendable {
    let text: String
    /// `scheme://host:port`, whose failures count together.
    let origin: String

    static func isURL(_ text: String) -> Bool {
      let lowercased = text.prefix(8).lowercased()
      return lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://")
    }

    init(_ address: String) throws(ValidationError) {
      do throws(HTTPFetchError) {
        origin = try HTTPSource.origin(of: address)
      } catch {
        throw ValidationError("\(error)")
      }
      let isDefaultPort =
        origin.hasPrefix("https://") ? origin.hasSuffix(":443") : origin.hasSuffix(":80")
      let base = isDefaultPort ? String(origin.prefix(origin.lastIndex(of: ":"))) : origin
      let afterScheme = address.drop { $0 != ":" }.dropFirst(3)
      let rest = afterScheme.drop { !"/?#".contains($0) }.prefix { $0 != "#" }
      text = base + (rest.hasPrefix("/") ? "" : "/") + rest
    }

    /// The host, without the brackets of an IPv6 address.
    var host: String {
      let host = origin.drop { $0 != ":" }.dropFirst(3)
      return host.prefix(host.lastIndex(of: ":")).filter { $0 != "[" && $0 != "]" }
    }
  }

  extension StringProtocol {
    /// Everything before an index; everything when there is none.
    fileprivate func prefix(_ end: Index?) -> SubSequence { self[..<(end ?? endIndex)] }
  }
#endif
