#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// The record that an argument names.
  struct RecordName: Sendable {
    let collection: String
    let key: String
    /// `nil` when the key is no http or https address.
    let url: URLText?
    /// The beginning of the keys of a gateway's variants of the address; `nil` when there are none, or the key is
    /// that of a variant.
    let variants: String?
    /// True for an address without a named collection: the copies of any gateway are meant.
    private let isOfAnyGateway: Bool

    /// Reports that nothing is stored under the name.
    func noteMissing() {
      let collections = places.map(\.collection.debugDescription)
      Console.note(
        "\(Console.quoted(key: key)): nothing is stored under the key in the "
          + (collections.count == 1 ? "collection " : "collections ")
          + collections.joined(separator: " and ")
          + (url == nil ? "" : "; a gateway keeps its copies under the addresses of its origin"))
    }

    /// The names under which copies may be: in its collection and, when none was named, in that of a gateway with
    /// --private.
    var places: [RecordName] {
      isOfAnyGateway ? [self, RecordName(self, in: GatewayOptions.privateCollection)] : [self]
    }

    /// The keys of the variants in the store.
    func variants(in store: Store) throws(StoreError) -> [String] {
      guard let variants else { return [] }
      return try store.bytes(collection).keys(beginningWith: variants, limit: 1000)
    }

    /// Reads a key or a URL. The scheme and the host of a URL are normalized; the rest stays as it is written.
    init(_ argument: String, collection: String?) throws(ValidationError) {
      let url = URLText.isURL(argument) ? try URLText(argument) : nil
      try self.init(url?.text ?? argument, url, collection, variants: nil)
    }

    /// The same for a verb that only looks for stored records.
    ///
    /// The key may be that of a gateway's variant, `address#digest`, and an address may be longer than a key.
    init(stored argument: String, collection: String?) throws(ValidationError) {
      guard URLText.isURL(argument) else {
        try self.init(argument, nil, collection, variants: nil)
        return
      }
      let url = try URLText(argument)
      let base = CopyNames.base(of: url.text)
      if let digest = Self.digest(of: argument) {
        try self.init(
          "\(base)#\(digest)", url, collection, variants: nil, isOfAnyGateway: collection == nil)
      } else {
        // A get stores a copy under the address itself, while that is short enough for a key.
        let key = url.text.utf8.count <= Self.longestKey ? url.text : base
        try self.init(
          key, url, collection, variants: key == base ? "\(base)#" : base,
          isOfAnyGateway: collection == nil)
      }
    }

    /// The same in another collection.
    private init(_ name: RecordName, in collection: String) {
      self.collection = collection
      (key, url, variants) = (name.key, name.url, name.variants)
      isOfAnyGateway = false
    }

    private init(
      _ key: String, _ url: URLText?, _ collection: String?, variants: String?,
      isOfAnyGateway: Bool = false
    ) throws(ValidationError) {
      self.url = url
      self.key = key
      self.variants = variants
      self.isOfAnyGateway = isOfAnyGateway
      self.collection = collection ?? (url == nil ? "default" : "http")
      guard !key.isEmpty else {
        throw ValidationError("a key must not be empty; it is 1 to 1,024 bytes of UTF-8")
      }
      guard key.utf8.count <= Self.longestKey else {
        throw ValidationError(
          "the key has \(key.utf8.count) bytes; a key is 1 to 1,024 bytes of UTF-8"
        )
      }
      try Self.check(collection: self.collection)
    }

    static func check(collection: String) throws(ValidationError) {
      guard (1...255).contains(collection.utf8.count) else {
        throw ValidationError("the name of a --collection is 1 to 255 bytes of UTF-8")
      }
    }

    /// The digest of a gateway's variant at the end of a text; `nil` without one.
    private static func digest(of text: String) -> String? {
      guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
      let digest = text.utf8[text.utf8.index(after: sign)...]
      let isDigest =
        digest.count == 32 && digest.allSatisfy { "0123456789abcdef".utf8.contains($0) }
      return isDigest ? String(Substring(digest)) : nil
    }

    private static let longestKey = 1024
  }

  /// An http or https address as a key: scheme and host in lower case, no default port, a path, no
  /// fragment.
  struct URLText: Sendable {
    let text: String
    /// The origin, as `scheme://host:port`; its failures count together.
    let origin: Origin

    // Addresses are parsed by bytes: a combining mark turns a slash into another character, but not the address into
    // another.

    static func isURL(_ text: String) -> Bool {
      let start = text.utf8.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }

    /// The beginning of addresses in the form of keys. A text that ends within the host is lower-cased. A longer text
    /// is an address itself.
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
      let base = isDefaultPort ? String(Self.withoutPort(name)) : name
      let rest = Self.rest(of: address).prefix { $0 != UInt8(ascii: "#") }
      let slash = rest.first == UInt8(ascii: "/") ? "" : "/"
      text = base + slash + String(Substring(rest))
    }

    /// The host, without the brackets of an IPv6 address.
    var host: String {
      let host = Self.withoutPort(origin.name).drop { $0 != ":" }.dropFirst(3)
      return host.filter { $0 != "[" && $0 != "]" }
    }

    private static func withoutPort(_ origin: String) -> Substring {
      origin[..<(origin.lastIndex(of: ":") ?? origin.endIndex)]
    }
  }

  /// The option for the collection of keys.
  struct CollectionOption: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The collection of the keys. (default: http for URLs, default for other keys)",
        valueName: "name"),
      completion: .collections)
    var collection: String?
  }
#endif
