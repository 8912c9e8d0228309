internal import FreshHTTP
internal import FreshStore
internal import Strategies
internal import Synchronization

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

/// What others than the gateway need to know of the keys of its copies.
package enum CopyNames {
  /// The key of an address, which its other copies' keys begin with, before a `#`. It is the address itself,
  /// unless that is too long for a key.
  package static func base(of address: String) -> String { CopyKey(address).base }
}

/// The keys of the copies of addresses that vary, as this process last saw them. It spares a look at the
/// file's index for as long as nothing is committed: of several copies the most recent counts, whoever has stored it.
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

  /// - Parameter capacity: Twice as many addresses are known at the most.
  init(capacity: Int = 20_000) { self.capacity = capacity }

  /// - Parameter commit: What the file is at; what was seen before is not known any more.
  func keys(of base: String, at commit: CommitMark) -> [String]? {
    state.withLock { state in
      guard let entry = state.recent[base] ?? state.older[base], entry.commit == commit else {
        return nil
      }
      if state.recent[base] == nil { Self.set(entry, of: base, in: &state, capacity) }
      return entry.keys
    }
  }

  /// - Parameter commit: What the file was at before they were looked up.
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
  /// What the store keeps beside the content: for this gateway the whole head, and for all others, such as a
  /// sweep, a listing and `freshstore get`, what it says of its age and freshness.
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
