internal import Synchronization

/// The memory that the gateway holds for its clients: answers that wait for a client, bodies that wait for an origin,
/// and the state of requests.
///
/// The state of requests takes at most half of the limit, and at most a quarter for one client. Beyond that a request
/// is refused, and no connection ends. When the limit itself is exceeded, connections with waiting bytes end. The
/// connection that has moved nothing for the longest time ends first.
final class ClientMemory: Sendable {
  /// The account of one connection.
  final class Account: Sendable {
    fileprivate let memory: ClientMemory
    private let held = Atomic(0)
    /// The bytes that wait for the client or for an origin.
    fileprivate let waiting = Atomic(0)
    fileprivate let movedAt: Atomic<UInt64>
    fileprivate let isEnding = Atomic(false)
    fileprivate let end: @Sendable () -> Void
    private let number: Int

    fileprivate init(
      _ memory: ClientMemory, _ number: Int, _ end: @escaping @Sendable () -> Void
    ) {
      (self.memory, self.number, self.end) = (memory, number, end)
      movedAt = Atomic(memory.nextMoment())
    }

    deinit { memory.forget(number, held.load(ordering: .relaxed)) }

    fileprivate var size: Int { held.load(ordering: .relaxed) }

    /// Counts bytes that wait from now on.
    func add(_ count: Int) {
      let own = waiting.add(count, ordering: .relaxed).newValue
      if own == count { noteMove() }
      hold(count)
      if own > memory.limit / 8 { endOnce() }
      _ = memory.hasRoom(for: 0)
    }

    /// Stops counting bytes.
    ///
    /// - Parameter isTaken: False for bytes that were dropped.
    func remove(_ count: Int, isTaken: Bool = true) {
      waiting.subtract(count, ordering: .relaxed)
      if isTaken { noteMove() }
      release(count)
    }

    /// Reserves memory for the state of a request, until its last reference is gone. `nil` when there is no room.
    ///
    /// - Parameters:
    ///   - client: The client whose requests are counted together.
    ///   - bytes: The size of the header section.
    func request(of client: String, beside bytes: Int = 0) -> Request? {
      let size = Request.leastSize + bytes
      guard memory.takeShare(size, of: client) else { return nil }
      guard memory.hasRoom(for: size) else {
        memory.giveBackShare(size, of: client)
        return nil
      }
      return Request(self, of: client, size)
    }

    private func noteMove() { movedAt.store(memory.nextMoment(), ordering: .relaxed) }

    fileprivate func hold(_ count: Int) {
      held.add(count, ordering: .relaxed)
      memory.total.add(count, ordering: .relaxed)
    }

    fileprivate func release(_ count: Int) {
      held.subtract(count, ordering: .relaxed)
      memory.total.subtract(count, ordering: .relaxed)
    }

    fileprivate func endOnce() {
      if !isEnding.exchange(true, ordering: .relaxed) { end() }
    }
  }

  /// The memory of one request that memory alone cannot answer: its header section, its task, its buffers and its
  /// entries in queues.
  final class Request: Sendable {
    /// The approximate size for a short header section, as measured.
    fileprivate static let leastSize = 16 << 10
    private let account: Account
    private let client: String
    private let size: Int

    fileprivate init(_ account: Account, of client: String, _ size: Int) {
      (self.account, self.client, self.size) = (account, client, size)
      account.hold(size)
    }

    deinit {
      account.release(size)
      account.memory.giveBackShare(size, of: client)
    }
  }

  private struct Entry {
    weak let account: Account?
  }

  private let limit: Int
  private let total = Atomic(0)
  private let moments = Atomic<UInt64>(0)
  private let accounts = Mutex<(entries: [Int: Entry], last: Int)>(([:], 0))
  /// The memory of requests, in all and by client.
  private let requests = Mutex<(size: Int, clients: [String: Int])>((0, [:]))

  init(limit: Int) { self.limit = limit }

  /// The number of all bytes held.
  var size: Int { total.load(ordering: .relaxed) }

  /// Opens the account of a new connection.
  ///
  /// - Parameter end: Aborts the connection. Any thread may call it.
  func open(_ end: @escaping @Sendable () -> Void) -> Account {
    accounts.withLock { accounts in
      accounts.last += 1
      let account = Account(self, accounts.last, end)
      accounts.entries[accounts.last] = Entry(account: account)
      return account
    }
  }

  private func nextMoment() -> UInt64 { moments.add(1, ordering: .relaxed).newValue }

  private func forget(_ number: Int, _ held: Int) {
    total.subtract(held, ordering: .relaxed)
    _ = accounts.withLock { $0.entries.removeValue(forKey: number) }
  }

  /// False when all requests, or those of the client, have used up their share.
  private func takeShare(_ count: Int, of client: String) -> Bool {
    requests.withLock { requests in
      let own = requests.clients[client, default: 0] + count
      guard requests.size + count <= limit / 2, own <= limit / 4 else { return false }
      requests.size += count
      requests.clients[client] = own
      return true
    }
  }

  private func giveBackShare(_ count: Int, of client: String) {
    requests.withLock { requests in
      requests.size -= count
      let others = requests.clients[client, default: count] - count
      requests.clients[client] = others > 0 ? others : nil
    }
  }

  private func hasRoom(for count: Int) -> Bool {
    total.load(ordering: .relaxed) + count <= limit || makeRoom()
  }

  /// Ends connections until an eighth of the limit is free, counting those that are still ending. False when too few
  /// are left to end.
  private func makeRoom() -> Bool {
    let open = accounts.withLock { $0.entries.values.compactMap(\.account) }
    let ending = open.filter { $0.isEnding.load(ordering: .relaxed) }.reduce(0) { $0 + $1.size }
    var excess = size - ending - limit / 8 * 7
    guard excess > 0 else { return true }
    let stalled = open.filter {
      $0.waiting.load(ordering: .relaxed) > 0 && !$0.isEnding.load(ordering: .relaxed)
    }
    .map { (account: $0, movedAt: $0.movedAt.load(ordering: .relaxed)) }
    .sorted { $0.movedAt < $1.movedAt }
    for (account, _) in stalled where excess > 0 {
      excess -= account.size
      account.endOnce()
    }
    return excess <= 0
  }
}
