public import FreshStore
internal import Synchronization

/// A server in memory, for tests of an app.
///
/// Fetches, pushes and lists answer from the same objects. A script makes single requests fail, hang, get lost or
/// meet another answer.
///
/// ```swift
/// let server = ScriptedServer(["1": "milk"], isConditional: true)
/// synchronizer.add(notes, from: server, following: "all")
/// ```
///
/// Any number of stores may talk to one server, as the devices of one user do. Every change gives an object another
/// version, which is its entity tag.
///
/// Without a script the server does what a correct one does:
///
/// - A fetch gets the value, *not modified* for the present tag, or *gone*.
/// - A push is applied once for each idempotency key: the same key gets the same answer again.
/// - A conditional server first compares the tag on which the write is based. If another tag is present, it answers
///   with a conflict.
/// - A list gets its members, or the changes since its cursor.
public final class ScriptedServer<Value: Sendable>: RecordSource {
  typealias Membership = @Sendable (_ key: String, _ value: Value) -> Bool

  struct State: Sendable {
    var objects = ServerObjects<Value>()
    /// The answers to the writes that were applied, by idempotency key.
    var applied: [String: Pushed<Value>] = [:]
    var memberships: [ExactName: Membership] = [:]
    var fetchReplies = Replies<Fetched<Value>>()
    var pushReplies = Replies<Pushed<Value>>()
    var listReplies = Replies<SourceListChange<Value>>()
    /// The failure of every request; `nil` while the server is up.
    var outage: (any Error)?
    var isHeld = false
    /// The latch of the held requests until the next release, which replaces it. So later held requests do not hold
    /// up the released ones.
    var latch = Latch(isOpen: false)
    /// Held requests whose senders have given up.
    var orphans: [@Sendable () -> Void] = []
  }

  let isConditional: Bool
  let knowsIdempotencyKeys: Bool
  let listsValues: Bool
  let pageSize: Int?
  let details: FetchDetails
  let state: Mutex<State>
  let fetchArrivals = Arrivals<Previous<Value>>()
  let pushArrivals = Arrivals<PendingWrite<Value>>()
  let listArrivals = Arrivals<PreviousList>()

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - objects: The first objects, by key.
  ///   - isConditional: True for a server that compares the version on which a write is based (HTTP: `If-Match`,
  ///     `If-None-Match`); else the last write wins.
  ///   - knowsIdempotencyKeys: False for a server that applies a repeated write again.
  ///   - listsValues: False for a server whose lists name their members and changes, without values.
  ///   - pageSize: The most members, and removals, on a page of a list; `nil` for lists in one piece. A page shows
  ///     the state at its request, and the cursor of the last one is from the first.
  ///   - details: The details stated with every value. The validators are the server's own.
  public init(
    _ objects: [String: Value] = [:], isConditional: Bool = false,
    knowsIdempotencyKeys: Bool = true, listsValues: Bool = true, pageSize: Int? = nil,
    details: FetchDetails = FetchDetails()
  ) {
    self.isConditional = isConditional
    self.knowsIdempotencyKeys = knowsIdempotencyKeys
    self.listsValues = listsValues
    self.pageSize = pageSize.map { max(1, $0) }
    self.details = details
    var first = State()
    for (key, value) in objects.sorted(by: { $0.key < $1.key }) {
      first.objects.set(value, for: key)
    }
    state = Mutex(first)
  }

  // MARK: Objects

  /// The present value of a key. Setting it is a change by somebody else; `nil` removes the object.
  public subscript(key: String) -> Value? {
    get { state.withLock { $0.objects[key]?.value } }
    set { state.withLock { $0.objects.set(newValue, for: key) } }
  }

  /// All keys with an object, in the order of their bytes.
  public var keys: [String] { state.withLock { $0.objects.all.keys.sorted().map(\.text) } }

  /// The present state of a key, as a fetch of it gets it.
  public func present(_ key: String) -> Fetched<Value> {
    state.withLock { present(key, $0) }
  }

  func present(_ key: String, _ state: State) -> Fetched<Value> {
    guard let object = state.objects[key] else { return .gone }
    return .value(object.value, stating(object.tag))
  }

  /// The details stated with a value of that tag, together with the details that an answer states.
  func stating(_ tag: String?, beside stated: FetchDetails = FetchDetails()) -> FetchDetails {
    var details = stated == FetchDetails() ? self.details : stated
    if stated.validators.isEmpty { details.validators = Validators(entityTag: tag) }
    return details
  }

  // MARK: Requests so far

  /// Every fetch so far, oldest first, also those that failed before they arrived.
  public var fetches: [Previous<Value>] { fetchArrivals.all }

  /// Every push so far, with its key, kind, idempotency key and the validators of its base.
  public var pushes: [PendingWrite<Value>] { pushArrivals.all }

  /// Every request for a list so far.
  public var lists: [PreviousList] { listArrivals.all }

  /// Returns once there were at least so many fetches.
  public func fetches(atLeast count: Int) async { await fetchArrivals.atLeast(count) }

  /// Returns once there were at least so many pushes.
  public func pushes(atLeast count: Int) async { await pushArrivals.atLeast(count) }

  /// Returns once there were at least so many requests for lists.
  public func lists(atLeast count: Int) async { await listArrivals.atLeast(count) }
}

extension ScriptedServer {
  /// Replies to the next fetches, one each; those of a key go before those to any.
  public func answerFetches(
    of key: String? = nil, with replies: ScriptedReply<Fetched<Value>>...
  ) {
    state.withLock { $0.fetchReplies.add(replies, for: key) }
  }

  /// Replies to the next pushes, one each; those of a key go before those to any.
  public func answerPushes(
    of key: String? = nil, with replies: ScriptedReply<Pushed<Value>>...
  ) {
    state.withLock { $0.pushReplies.add(replies, for: key) }
  }

  /// Replies to the next requests for lists, one each; those of a list go before those to any.
  public func answerLists(
    of name: String? = nil, with replies: ScriptedReply<SourceListChange<Value>>...
  ) {
    state.withLock { $0.listReplies.add(replies, for: name) }
  }

  /// Sets the objects on a list. Without this call a list has all objects. Earlier cursors expire.
  public func setMembers(
    of list: String, _ isMember: @escaping @Sendable (_ key: String, _ value: Value) -> Bool
  ) {
    state.withLock { state in
      state.memberships[list] = isMember
      state.objects.expireCursors()
    }
  }

  /// Forgets all cursors that it has given out, so that a list is asked for in full.
  public func expireCursors() {
    state.withLock { $0.objects.expireCursors() }
  }

  /// Makes every request fail from now on, until ``comeBack()``. The script does not go on meanwhile.
  public func goDown(_ error: any Error = ScriptedFailure("the server is down")) {
    state.withLock { $0.outage = error }
  }

  /// Answers requests again.
  public func comeBack() {
    state.withLock { $0.outage = nil }
  }

  /// Makes requests hang before they arrive, from now on; they count as asked.
  public func hold() {
    state.withLock { $0.isHeld = true }
  }

  /// Lets the hanging requests arrive, also those whose senders have given up, and later requests at once.
  public func release() {
    let (latch, orphans) = state.withLock { state in
      defer { (state.latch, state.orphans) = (Latch(isOpen: false), []) }
      state.isHeld = false
      return (state.latch, state.orphans)
    }
    for arrive in orphans { arrive() }
    latch.open()
  }
}

/// The objects of a scripted server, each with its version, and the changes since each version.
struct ServerObjects<Value: Sendable>: Sendable {
  struct Object: Sendable {
    let value: Value
    let version: Int

    var tag: String { "\"\(version)\"" }
  }

  /// The changes of a list.
  struct Changes: Sendable {
    var present: [ExactName: Object] = [:]
    var removed: [ExactName] = []
  }

  private struct Step: Sendable {
    let version: Int
    let key: ExactName
    let before: Value?
  }

  private(set) var all: [ExactName: Object] = [:]
  private var steps: [Step] = []
  /// Grows with every change.
  private(set) var version = 0
  /// Cursors before this version are unknown.
  private var firstCursor = 0

  /// The cursor of the present state.
  var cursor: String { "\(version)" }

  subscript(key: String) -> Object? { all[key] }

  /// True for a version from which on all changes are known.
  func knows(_ since: Int) -> Bool { (firstCursor...version).contains(since) }

  /// Stores a value; `nil` removes the object.
  mutating func set(_ value: Value?, for key: String) {
    let before = all[key]?.value
    guard value != nil || before != nil else { return }
    version += 1
    steps.append(Step(version: version, key: ExactName(key), before: before))
    all[key] = value.map { Object(value: $0, version: version) }
  }

  /// Forgets the cursors given out so far.
  mutating func expireCursors() {
    version += 1
    firstCursor = version
    steps = []
  }

  /// The changes of a list since a cursor; `nil` when that is unknown.
  func changes(
    since cursor: String, _ isMember: (_ key: String, _ value: Value) -> Bool
  ) -> Changes? {
    guard let since = Int(cursor), knows(since) else { return nil }
    var before: [ExactName: Value?] = [:]
    for step in steps where step.version > since && !before.keys.contains(step.key) {
      before.updateValue(step.before, forKey: step.key)
    }
    var changes = Changes()
    for (key, value) in before {
      if let object = all[key], isMember(key.text, object.value) {
        changes.present[key] = object
      } else if let value, isMember(key.text, value) {
        changes.removed.append(key)
      }
    }
    changes.removed.sort()
    return changes
  }
}
