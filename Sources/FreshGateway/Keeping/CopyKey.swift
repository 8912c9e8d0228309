internal import FreshHTTP

/// The keys of the records that keep the copies of one address.
///
/// The key of the address is that of `freshstore get`: its one plain copy lies there, which answers every
/// request, and whose bytes are the value that a get would print. All others lie beside it, under
/// `address#digest`, which is no address. There is either the one or the others.
struct CopyKey: Sendable, Hashable {
  /// The key of the address, whose lease is that of all its copies.
  let base: String

  /// - Parameter address: The cache key of a request.
  init(_ address: String) {
    guard address.utf8.count > Self.greatestLength else {
      base = address
      return
    }
    // An address is ASCII, and may be cut anywhere. None holds a space: no other one has this key, or is the
    // beginning of it.
    var digest = Digest()
    digest.add(address)
    base = "\(address.prefix(Self.greatestLength - 40)) \(digest.description)"
  }

  /// The origin of the address; `nil` when it was cut within that.
  var origin: String? {
    var slashes = 0
    for index in base.utf8.indices where base.utf8[index] == UInt8(ascii: "/") {
      slashes += 1
      guard slashes == 3 else { continue }
      do throws(HTTPAddress.Refusal) {
        return try HTTPAddress(String(base[...index])).origin
      } catch {
        return nil
      }
    }
    return nil
  }

  /// The beginning of the keys of the copies that are not plain.
  var prefix: String { "\(base)#" }

  /// The key of a copy.
  func key(of answer: StoredAnswer, _ policy: GatewayPolicy) -> String {
    Self.isPlain(answer, policy) ? base : key(of: answer.selection)
  }

  /// The key of the copy, if it is not plain, that requests select so.
  func key(of selection: VarySelection) -> String {
    var digest = Digest()
    digest.add(selection.encoded ?? "")
    return prefix + digest.description
  }

  /// True for a copy that anybody may have in the place of what the address is asked for.
  static func isPlain(_ answer: StoredAnswer, _ policy: GatewayPolicy) -> Bool {
    answer.status == 200 && answer.selection == .every && policy.isShared
      && answer.content.isWhole && answer.fields.first("Content-Encoding") == nil
  }

  /// A key has room for 1,024 bytes, and a variant's has 33 more than this.
  private static let greatestLength = 991
}
