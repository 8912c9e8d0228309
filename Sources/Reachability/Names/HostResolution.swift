internal import Platform
internal import Synchronization

/// Keeps the addresses of a host up to date: looks its name up on request, one lookup at a time.
///
/// It holds no reference to its monitor, so a lookup that never ends keeps no monitor alive.
final class HostResolution: Sendable {
  /// Begins a lookup and delivers its answer once.
  typealias Lookup =
    @Sendable (String, @escaping @Sendable (HostLookup.Answer) -> Void) -> Void

  private struct Progress {
    var isRunning = false
    /// The network has changed since the running lookup began.
    var isOutdated = false
    var hasAddresses = false
    var isResolved = false
  }

  let host: String
  /// The files whose change needs another lookup.
  let files: ResolverFiles
  private let lookup: Lookup
  private let progress = Mutex(Progress())

  /// `isResolved` says that the addresses are known and need no lookup before a change.
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

  /// True when the last lookup brought addresses. Until then any change of the network is worth another lookup,
  /// because it may have brought the name service into reach.
  var isResolved: Bool { progress.withLock { $0.isResolved } }

  /// Looks the name up and applies the addresses; while a lookup is running, once more after it.
  ///
  /// A name may lack an address because nothing is in reach. Before the first address, the addresses of the
  /// Internet at large are applied. Earlier addresses outlive a failed lookup.
  func renew(_ apply: @escaping @Sendable ([IPAddress]) -> Void) {
    let isFirst = progress.withLock { progress in
      progress.isOutdated = progress.isRunning
      defer { progress.isRunning = true }
      return !progress.isRunning
    }
    if isFirst { begin(apply) }
  }

  /// Like ``renew(_:)``, but does nothing while a lookup is running, whose answer will be as new.
  func repeatLookup(_ apply: @escaping @Sendable ([IPAddress]) -> Void) {
    guard !progress.withLock({ $0.isRunning }) else { return }
    renew(apply)
  }

  private func begin(_ apply: @escaping @Sendable ([IPAddress]) -> Void) {
    lookup(host) { [self] answer in
      if let targets = targets(answer) { apply(targets) }
      let isOutdated = progress.withLock { progress in
        progress.isRunning = progress.isOutdated
        defer { progress.isOutdated = false }
        return progress.isOutdated
      }
      if isOutdated { begin(apply) }
    }
  }

  /// The addresses to ask about after an answer; `nil` to keep the earlier ones.
  private func targets(_ answer: HostLookup.Answer) -> [IPAddress]? {
    progress.withLock { progress in
      switch answer {
      case .success(let addresses):
        progress.hasAddresses = true
        progress.isResolved = true
        return addresses
      case .failure(.noThread), .failure(.noAnswer):
        // Nothing was asked or nothing answered, so the name is as unknown as before.
        progress.isResolved = false
        return nil
      case .failure(.notFound), .failure(.emptyName):
        progress.isResolved = false
        return progress.hasAddresses ? nil : IPAddress.wellKnown
      }
    }
  }
}

/// The times at which a host's name is looked up without an announcement by the kernel.
///
/// A monitor's state may rest on a name service that was not there yet, or on the addresses of another network. The
/// kernel announces the end of neither. A name without an address in reach is looked up again: first after a
/// second, then less often, and at least once a minute.
struct LookupSchedule {
  private let first: Duration
  private let longest: Duration
  private var count = 0

  /// The moment of the next lookup; `nil` when none is due.
  private(set) var due: ContinuousClock.Instant?

  init(first: Duration = .seconds(1), longest: Duration = .seconds(60)) {
    self.first = first
    self.longest = longest
  }

  /// Takes the next lookup if it is due; `isSettled` means that the present findings need none.
  mutating func take(isSettled: Bool, at now: ContinuousClock.Instant) -> Bool {
    guard !isSettled else {
      (count, due) = (0, nil)
      return false
    }
    guard let due else {
      self.due = now + pause
      return false
    }
    guard now >= due else { return false }
    count += 1
    self.due = now + pause
    return true
  }

  /// Restarts with short pauses, for another network or another name service.
  mutating func restart() { (count, due) = (0, nil) }

  private var pause: Duration {
    // The pause reaches a minute long before the shift could overflow.
    min(first * (1 << min(count, 16)), longest)
  }
}

/// The files with the name servers and the local names of the system's resolver. They often change
/// some seconds after the network, without an announcement.
struct ResolverFiles: Sendable {
  /// A state of the files; a difference in any byte of a file makes it another.
  struct Stamp: Equatable {
    fileprivate var numbers: [Int64] = []
  }

  static let system = ResolverFiles(paths: ["/etc/resolv.conf", "/etc/hosts"])

  let paths: [String]

  /// The present state; some microseconds.
  var stamp: Stamp {
    var stamp = Stamp()
    for path in paths {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else {
        stamp.numbers.append(-1)
        continue
      }
      stamp.numbers += [
        Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino),
        Int64(status.st_size),
      ]
      #if canImport(Darwin)
        let changes = [status.st_mtimespec, status.st_ctimespec]
      #else
        let changes = [status.st_mtim, status.st_ctim]
      #endif
      for change in changes {
        stamp.numbers += [Int64(change.tv_sec), Int64(change.tv_nsec)]
      }
    }
    return stamp
  }
}
