internal import Synchronization

/// Keeps the addresses of a host up to date: looks its name up on request, one lookup at a time.
///
/// It holds nothing that waits for it, so a lookup that never ends keeps no monitor alive.
final class HostResolution: Sendable {
  /// Begins a lookup and hands its answer over, once.
  typealias Lookup =
    @Sendable (String, @escaping @Sendable (HostLookup.Answer) -> Void) -> Void

  private struct Progress {
    var isUnderWay = false
    /// The network has changed since the lookup under way began.
    var isOutdated = false
    var hasAddresses = false
    var isResolved = false
  }

  let host: String
  /// The files whose change calls for another lookup.
  let files: ResolverFiles
  private let lookup: Lookup
  private let progress = Mutex(Progress())

  /// `isResolved` says that the addresses are known, and need no lookup before a change.
  init(
    host: String, isResolved: Bool = false, files: ResolverFiles = .system,
    lookup: @escaping Lookup
  ) {
    self.host = host
    self.files = files
    self.lookup = lookup
    progress.withLock {
      $0.isResolved = isResolved
      $0.hasAddresses = isResolved
    }
  }

  /// True when the last lookup brought addresses. Until one does, any change of the network is
  /// worth another, because it may have brought the name service into reach.
  var isResolved: Bool { progress.withLock { $0.isResolved } }

  /// Looks the name up and applies the addresses; while a lookup is under way, once more after it.
  ///
  /// A name may lack an address because nothing is in reach: until its first one the Internet at
  /// large is asked about. Earlier addresses outlive a failed lookup.
  func renew(_ apply: @escaping @Sendable ([IPAddress]) -> Void) {
    let isFirst = progress.withLock { progress in
      progress.isOutdated = progress.isUnderWay
      defer { progress.isUnderWay = true }
      return !progress.isUnderWay
    }
    if isFirst { begin(apply) }
  }

  /// Like ``renew(_:)``, but does nothing while a lookup is under way: its answer is as new as
  /// another's.
  func repeatLookup(_ apply: @escaping @Sendable ([IPAddress]) -> Void) {
    guard !progress.withLock({ $0.isUnderWay }) else { return }
    renew(apply)
  }

  private func begin(_ apply: @escaping @Sendable ([IPAddress]) -> Void) {
    lookup(host) { [self] answer in
      if let targets = targets(answer) { apply(targets) }
      let isOutdated = progress.withLock { progress in
        progress.isUnderWay = progress.isOutdated
        defer { progress.isOutdated = false }
        return progress.isOutdated
      }
      if isOutdated { begin(apply) }
    }
  }

  /// The addresses to ask about after an answer; `nil` for the earlier ones.
  private func targets(_ answer: HostLookup.Answer) -> [IPAddress]? {
    progress.withLock { progress in
      switch answer {
      case .success(let addresses):
        progress.hasAddresses = true
        progress.isResolved = true
        return addresses
      case .failure(.noThread), .failure(.noAnswer):
        // Nothing was asked, or nothing answered: the name is as unknown as before.
        progress.isResolved = false
        return nil
      case .failure(.notFound), .failure(.emptyName):
        progress.isResolved = false
        return progress.hasAddresses ? nil : IPAddress.wellKnown
      }
    }
  }
}
