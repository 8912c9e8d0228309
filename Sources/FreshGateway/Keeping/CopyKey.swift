internal import FreshHTTP
internal import FreshStore
internal import Strategies
internal import Synchronization

/// The keys of the records with the copies of one address.
///
/// The key of the address is also the key for `freshstore get`. The one plain copy has this key: it answers every
/// request, and its bytes are the value that a get prints. All other copies have keys of the form `address#digest`,
/// which is no address. An address has either a plain copy or others.
struct CopyKey: Sendable, Hashable {
  /// The key of the address. Its lease covers all copies.
  let base: String

  /// - Parameter address: The cache key of a request.
  init(_ address: String) {
    guard address.utf8.count > Self.greatestLength else {
      base = address
      return
    }
    // An address is ASCII, and may be cut anywhere. No address holds a space, so none has this key or begins with it.
    var digest = Digest()
    digest.add(address)
    base = "\(address.prefix(Self.greatestLength - 40)) \(digest.description)"
  }

  /// The origin of the address; `nil` when the address was cut within it.
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

  /// The common prefix of the keys of copies that are not plain.
  var prefix: String { "\(base)#" }

  /// The key of a copy.
  func key(of answer: StoredAnswer, _ policy: GatewayPolicy) -> String {
    Self.isPlain(answer, policy) ? base : key(of: answer.selection)
  }

  /// The key of a copy that is not plain and has this selection.
  func key(of selection: VarySelection) -> String {
    var digest = Digest()
    digest.add(selection.encoded ?? "")
    return prefix + digest.description
  }

  /// True for a copy that answers every request for the address.
  static func isPlain(_ answer: StoredAnswer, _ policy: GatewayPolicy) -> Bool {
    answer.status == 200 && answer.selection == .every && policy.isShared
      && answer.content.isWhole && answer.fields.first("Content-Encoding") == nil
  }

  /// A key has room for 1,024 bytes, and a variant's key has 33 more than this.
  private static let greatestLength = 991
}

/// The keys of a gateway's copies, for other modules.
package enum CopyNames {
  /// The key of an address, with which the keys of its other copies begin before a `#`. It is the address, unless that
  /// is too long for a key.
  package static func base(of address: String) -> String { CopyKey(address).base }
}

/// The keys of the copies of addresses that vary, as this process last saw them.
///
/// They save a look at the file's index until the next commit: after that another process may have added a copy.
final class CopyDirectory: Sendable {
  private struct Entry {
    let keys: [String]
    let commit: CommitMark
  }

  private struct State {
    var recent: [String: Entry] = [:]
    var older: [String: Entry] = [:]
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: At most twice as many addresses are remembered.
  init(capacity: Int = 20_000) { self.capacity = capacity }

  /// - Parameter commit: The latest commit of the file; keys from before it are forgotten.
  func keys(of base: String, at commit: CommitMark) -> [String]? {
    state.withLock { state in
      guard let entry = state.recent[base] ?? state.older[base], entry.commit == commit else {
        return nil
      }
      if state.recent[base] == nil { Self.set(entry, of: base, in: &state, capacity) }
      return entry.keys
    }
  }

  /// - Parameter commit: The latest commit of the file before they were looked up.
  func set(_ keys: [String], of base: String, at commit: CommitMark) {
    state.withLock { Self.set(Entry(keys: keys, commit: commit), of: base, in: &$0, capacity) }
  }

  private static func set(
    _ entry: Entry, of base: String, in state: inout State, _ capacity: Int
  ) {
    if state.recent.count >= capacity, state.recent[base] == nil {
      state.older = state.recent
      state.recent = [:]
    }
    state.recent[base] = entry
  }
}

extension StoredAnswer {
  /// The details that the store keeps beside the content.
  ///
  /// The metadata is the whole head, for this gateway. The other details state age and freshness for everything else,
  /// such as a sweep, a listing and `freshstore get`.
  ///
  /// - Parameter origin: The origin of the address, whose groups become tags.
  func details(origin: String) -> FetchDetails {
    let lifetime = terms.mustAlwaysValidate ? .zero : terms.lifetime ?? .zero
    return FetchDetails(
      lastUpdate: receivedAt.advanced(by: .zero - initialAge),
      expiry: lifetime > .zero ? .after(lifetime) : .immediately,
      graceWhileRevalidating: terms.staleWhileRevalidate, graceOnError: terms.staleIfError,
      mustRevalidate: terms.forbidsStale,
      validators: Validators(
        entityTag: terms.validators.entityTag?.text, lastModified: terms.validators.lastModified),
      tags: Set(terms.groups.map { CacheGroups.tag($0, origin: origin) }),
      contentType: fields.first("Content-Type"), variant: selection.encoded, metadata: encoded)
  }
}
