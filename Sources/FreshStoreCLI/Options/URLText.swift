#if CommandLine
  internal import ArgumentParser
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// An http or https address as a key: scheme and host in lower case, no default port, a path, no
  /// fragment.
  struct URLText: Sendable {
    let text: String
    /// `scheme://host:port`, whose failures count together.
    let origin: Origin

    // By bytes: a combining mark turns a slash into another character, but not the address into
    // another.

    static func isURL(_ text: String) -> Bool {
      let start = text.utf8.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }

    /// The beginning of addresses in the form of keys. A part that can only belong to a host is
    /// lower-cased; from the path on the text is an address itself.
    static func prefix(_ text: String) -> String {
      guard isURL(text) else { return text }
      if rest(of: text).isEmpty { return text.lowercased() }
      do throws(ValidationError) {
        // A gateway's variants lie under `address#…`.
        let sign = text.utf8.firstIndex(of: UInt8(ascii: "#"))
        return try URLText(text).text + (sign.map { String(text[$0...]) } ?? "")
      } catch {
        // A text that is no address may still be the beginning of a key.
        return text
      }
    }

    /// The part after the authority.
    private static func rest(of address: String) -> Substring.UTF8View {
      address.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3).drop { !"/?#".utf8.contains($0) }
    }

    init(_ address: String) throws(ValidationError) {
      do throws(HTTPFetchError) {
        origin = try HTTPSource.origin(of: address)
      } catch {
        throw ValidationError("\(error)")
      }
      let name = origin.name
      let isDefaultPort =
        name.hasPrefix("https://") ? name.hasSuffix(":443") : name.hasSuffix(":80")
      let base = isDefaultPort ? String(name.prefix(name.lastIndex(of: ":"))) : name
      let rest = Self.rest(of: address).prefix { $0 != UInt8(ascii: "#") }
      let slash = rest.first == UInt8(ascii: "/") ? "" : "/"
      text = base + slash + String(Substring(rest))
    }

    /// The host, without the brackets of an IPv6 address.
    var host: String {
      let host = origin.name.drop { $0 != ":" }.dropFirst(3)
      return host.prefix(host.lastIndex(of: ":")).filter { $0 != "[" && $0 != "]" }
    }
  }

  extension StringProtocol {
    /// Everything before an index; everything when there is none.
    fileprivate func prefix(_ end: Index?) -> SubSequence { self[..<(end ?? endIndex)] }
  }
#endif
