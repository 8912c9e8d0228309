public import FreshStore
internal import Synchronization

/// A server in memory, for tests of an app: fetches, pushes and lists answer from the same objects, and a
/// script makes single requests fail, hang, get lost or meet another answer.
///
/// ```swift
/// let server = ScriptedServer(["1": "milk"], isConditional: true)
/// synchronizer.add(notes, from: server, following: "all")
/// ```
///
/// Any number of stores may talk to one server, as the devices of one user do. Every change gives an object
/// another version, which is its entity tag.
///
/// By itself the server does what a right one does. A fetch gets the value, *not modified* for the present
/// tag, or *gone*. A push is applied, once for each idempotency key: the same key gets the same answer again.
/// A conditional server first compares the tag on which the write is based, and answers with a conflict
/// where another is present. A list gets its members, or the changes since its cursor.
public final class ScriptedServer<Value: Sendable>: RecordSource {
  typealias Membership = @Sendable (_ key: String, _ value: Value) -> Bool

  struct State: Sendable {
    var objects = ServerObjects<Value>()
    /// The answers to the writes that were applied, by idempotency key.
    var taken: [String: Pushed<Value>] = [:]
    var memberships: [ExactName: Membership] = [:]
    var fetchReplies = Replies<Fetched<Value>>()
    var pushReplies = Replies<Pushed<Value>>()
    var listReplies = Replies<SourceListChange<Value>>()
    /// The failure of every request; `nil` while the server is up.
    var outage: (any Error)?
    var isHeld = false
    /// Requests that wait pass here until the next release, which puts another latch in its place: what is
    /// held later does not hold up those that were released.
    var latch = Latch(isOpen: false)
    /// Requests on their way whose senders have given up.
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
  ///   - objects: What it holds at first, by key.
  ///   - isConditional: True for one that compares the version on which a write is based (HTTP:
  ///     `If-Match`, `If-None-Match`); else the last write wins.
  ///   - knowsIdempotencyKeys: False for one that applies a repeated write again.
  ///   - listsValues: False for one whose lists name their members and changes, without values.
  ///   - pageSize: The most members, and removals, on a page of a list; `nil` for lists in one piece. A page
  ///     tells what is true when it is asked for, and the cursor of the last one is from the first.
  ///   - details: What it states beside every value. The validators are its own.
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

  // MARK: What it holds

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

  /// What it states beside a value with that tag, in addition to what else is stated.
  func stating(_ tag: String?, beside stated: FetchDetails = FetchDetails()) -> FetchDetails {
    var details = stated == FetchDetails() ? self.details : stated
    if stated.validators.isEmpty { details.validators = Validators(entityTag: tag) }
    return details
  }

  // MARK: What it was asked

  /// Every fetch so far, oldest first, those that failed on their way too.
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
