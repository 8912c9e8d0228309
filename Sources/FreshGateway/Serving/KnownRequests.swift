#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies
  internal import Synchronization

  /// Remembers header sections that came more than once byte by byte, and what was read from them. Most clients repeat
  /// their requests, and many clients send the same ones.
  ///
  /// A header section is remembered from its second time on, so that one that never comes again takes no memory. An
  /// unpredictable hash selects its slot, and the latest one replaces the one before.
  final class KnownRequests: Sendable {
    private struct Slot {
      var hash = 0
      var request: KnownRequest?
    }

    private let slots: Mutex<[Slot]>
    /// The memory that header sections and their answers may take.
    let room: StorageQuota

    init(count: Int = 8192, room: Int = 16 << 20) {
      slots = Mutex(Array(repeating: Slot(), count: count))
      self.room = StorageQuota(limit: room)
    }

    /// The state of a header section.
    enum Finding {
      case known(KnownRequest)
      /// It came before, and may come again.
      case seen
      case new
    }

    /// - Parameter peer: The sender, when the meaning of the request depends on it.
    func find(_ head: ByteBuffer, from peer: String?, at port: Int?) -> Finding {
      let hash = Self.hash(head)
      return slots.withLock { slots in
        let index = Self.index(of: hash, in: slots)
        guard slots[index].hash == hash else {
          slots[index] = Slot(hash: hash)
          return .new
        }
        guard let known = slots[index].request, known.head == head, known.port == port,
          peer == nil || known.peer == peer
        else { return .seen }
        return .known(known)
      }
    }

    func add(_ request: KnownRequest) {
      let hash = Self.hash(request.head)
      slots.withLock { slots in
        slots[Self.index(of: hash, in: slots)] = Slot(hash: hash, request: request)
      }
    }

    /// Forgets all requests when there is no room for more. Otherwise requests that never come again would keep others
    /// out for good. A request that comes again is remembered again at once.
    ///
    /// - Parameter size: The number of bytes that were needed.
    func makeRoom(for size: Int) {
      guard !room.take(size) else { return room.giveBack(size) }
      // The forgotten requests are released after the lock.
      _ = slots.withLock { slots -> [Slot] in
        let forgotten = slots
        slots = forgotten.map { Slot(hash: $0.hash) }
        return forgotten
      }
    }

    private static func index(of hash: Int, in slots: [Slot]) -> Int {
      Int(UInt(bitPattern: hash) % UInt(slots.count))
    }

    private static func hash(_ head: ByteBuffer) -> Int {
      var hasher = Hasher()
      unsafe head.withUnsafeReadableBytes { unsafe hasher.combine(bytes: $0) }
      return hasher.finalize()
    }
  }

  extension ByteBuffer {
    /// The bytes of a header section with its last empty line, when all have arrived. `nil` for one that is too long to
    /// be remembered.
    var wholeHead: ByteBuffer? {
      let length = unsafe withUnsafeReadableBytes { bytes -> Int? in
        var index = 3
        let end = min(bytes.count, Self.greatestKnownHead)
        while index < end {
          // Most bytes do not end a line, so this test comes first.
          guard unsafe bytes[index] == UInt8(ascii: "\n") else {
            index += 1
            continue
          }
          if unsafe bytes[index - 2] == UInt8(ascii: "\n"), unsafe bytes[index - 1] == Self.return,
            unsafe bytes[index - 3] == Self.return, unsafe bytes[0] != Self.return
          {
            return index + 1
          }
          index += 1
        }
        return nil
      }
      return length.flatMap { getSlice(at: readerIndex, length: $0) }
    }

    private static var `return`: UInt8 { UInt8(ascii: "\r") }
    /// A longer header section is read each time.
    private static var greatestKnownHead: Int { 2 << 10 }
  }

  /// A request without a body, and its last answer from a copy.
  final class KnownRequest: Sendable {
    let head: ByteBuffer
    let peer: String
    let port: Int?
    let incoming: IncomingRequest
    private let read: GatewayRequest
    private let room: StorageQuota
    /// The answer, while it stays the same byte by byte.
    private let last = Mutex<KnownAnswer?>(nil)

    /// `nil` for a request that no copy may answer, that is the last on its connection, or that there is no room for.
    init?(
      _ head: ByteBuffer, from peer: String, at port: Int?, _ incoming: IncomingRequest,
      _ read: GatewayRequest, in room: StorageQuota
    ) {
      guard read.framing == .none, read.mayBeAnsweredFromCopy, incoming.allowsNext,
        room.take(Self.size(of: head))
      else { return nil }
      // A slice would retain its whole buffer.
      self.head = ByteBuffer(bytes: head.readableBytesView)
      (self.peer, self.port, self.incoming, self.read) = (peer, port, incoming, read)
      self.room = room
    }

    deinit { room.giveBack(Self.size(of: head) + (answer?.rendered.size ?? 0)) }

    /// The size of the bytes and of what was read from them, which repeats most bytes three times.
    static func size(of head: ByteBuffer) -> Int { 1024 + 4 * head.readableBytes }

    /// An answer that there is no room for is not kept.
    var answer: KnownAnswer? {
      get { last.withLock(\.self) }
      set {
        last.withLock { answer in
          if let size = answer?.rendered.size { room.giveBack(size) }
          answer = newValue.flatMap { room.take($0.rendered.size) ? $0 : nil }
        }
      }
    }

    /// Returns the parsed request as if it came from another peer.
    func read(from peer: String) -> GatewayRequest {
      guard peer != self.peer, read.client != nil else { return read }
      var read = read
      read.client = ForwardedClient(peer, incoming.fields, trusting: [])
      return read
    }
  }

  /// An answer from a plain copy as bytes, with the conditions under which it is valid.
  struct KnownAnswer: Sendable {
    let rendered: RenderedAnswer
    let decision: String?
    fileprivate let key: String
    fileprivate let copy: KeptResidence
    /// The second of the answer's own date.
    fileprivate let second: Int64
    /// When the age in the answer changes, in milliseconds since the boot.
    fileprivate let end: Int64

    /// A larger answer is not kept beside the copy itself.
    fileprivate static let greatestSize = 16 << 10
  }

  /// The copy that may answer a request, as memory had it before the request was decided.
  struct KnownCopy: Sendable {
    fileprivate let residence: KeptResidence
    fileprivate let moment: ClockReading
  }

  extension GatewayCore {
    /// Returns the last answer to a request if it would be the same now: from an unchanged copy, with the same age in
    /// seconds.
    func answer(toKnown request: KnownRequest) -> KnownAnswer? {
      guard landings.isEmpty, let answer = request.answer else { return nil }
      let now = store.now()
      guard now.sinceBoot < answer.end, Self.second(of: now) == answer.second, owed.isEmpty,
        residence(of: answer.key) == answer.copy
      else {
        request.answer = nil
        return nil
      }
      return answer
    }

    /// Returns the copy in memory that may answer a known request.
    func copy(of request: KnownRequest?, _ read: GatewayRequest) -> KnownCopy? {
      guard request != nil, let address = read.address else { return nil }
      let moment = store.now()
      return residence(of: CopyKey(address.text).base).map {
        KnownCopy(residence: $0, moment: moment)
      }
    }

    private func residence(of key: String) -> KeptResidence? {
      do throws(StoreError) {
        return try shelf.collection.residence(of: key)
      } catch {
        // The search for the copy itself reports the error.
        return nil
      }
    }

    /// Keeps an answer for the same request within the same second. The copy must be unchanged, and the clock too: a
    /// little earlier the age may have been different.
    ///
    /// - Parameter copy: The copy in memory before the answer was made.
    func keep(
      _ rendered: RenderedAnswer, _ decision: String?, of request: KnownRequest,
      _ read: GatewayRequest, from copy: KnownCopy
    ) {
      guard rendered.buffers.count == 1, rendered.keepsConnection,
        rendered.size <= KnownAnswer.greatestSize, let address = read.address, owed.isEmpty
      else { return }
      let key = CopyKey(address.text)
      let copies = copies(of: key)
      guard let held = copies.first, copies.count == 1, held.record.key == key.base,
        held.candidate.isFresh, residence(of: key.base) == copy.residence,
        store.now() == copy.moment
      else { return }
      request.answer = KnownAnswer(
        rendered: rendered, decision: decision, key: key.base, copy: copy.residence,
        second: Self.second(of: copy.moment),
        end: copy.moment.sinceBoot + held.candidate.millisecondsOfSameAge)
      if request.answer == nil { known.makeRoom(for: rendered.size) }
    }

    private static func second(of now: ClockReading) -> Int64 {
      now.wall.millisecondsSinceEpoch / 1000
    }
  }

  extension Candidate {
    /// How long the copy's age and remaining lifetime stay the same in whole seconds. This also respects limits in
    /// requests: an age of exactly a second satisfies `max-age=1`, and a moment later it does not.
    fileprivate var millisecondsOfSameAge: Int64 {
      let (age, left) = (age.wholeMilliseconds, freshFor.wholeMilliseconds)
      return min((1000 - age % 1000) % 1000, max(0, left) % 1000)
    }
  }

  /// Begins requests whose bytes came before.
  extension ConnectionHandler {
    /// Begins the next request if its bytes are known.
    ///
    /// - Returns: True when it has begun; and the bytes of a header section that came before but is not remembered yet.
    func beginKnown(
      _ context: ChannelHandlerContext
    ) -> (hasBegun: Bool, repeated: ByteBuffer?) {
      guard phase == .reading, hasWholeRequest, let head = decoder.unread?.wholeHead else {
        return (false, nil)
      }
      switch core.known.find(head, from: peerOfMeaning, at: slot?.port) {
      case .known(let known):
        decoder.skip(head.readableBytes)
        begin(known, context)
        return (true, nil)
      case .seen: return (false, head)
      case .new: return (false, nil)
      }
    }

    private func begin(_ known: KnownRequest, _ context: ChannelHandlerContext) {
      note(known.incoming, isWhole: true, context)
      if !isDraining, let answer = core.answer(toKnown: known) {
        return write(answer.rendered, .hit, answer.decision, context)
      }
      begin(known.incoming, known.read(from: peer), known, context)
    }

    /// Remembers a request that came before; `nil` when it is not to be remembered.
    func know(
      _ head: ByteBuffer, _ incoming: IncomingRequest, _ read: GatewayRequest
    ) -> KnownRequest? {
      let known = KnownRequest(
        head, from: peer, at: slot?.port, incoming, read, in: core.known.room)
      guard let known else {
        core.known.makeRoom(for: KnownRequest.size(of: head))
        return nil
      }
      core.known.add(known)
      return known
    }

    /// The peer, when the meaning of a request depends on it.
    private var peerOfMeaning: String? { core.reading.dependsOnPeer ? slot?.peer : nil }
  }
#endif
