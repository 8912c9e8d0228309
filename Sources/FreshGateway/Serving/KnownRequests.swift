#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies
  internal import Synchronization

  /// The heads that came more than once in the same words, and what was read from them: most clients ask for the same
  /// again and again, and many in the words of others.
  ///
  /// A head is kept from the second time on, so that one that never comes again takes no memory. Its place is given by a
  /// hash that nobody can foresee, and the last that comes takes it.
  final class KnownRequests: Sendable {
    private struct Slot {
      var hash = 0
      var request: KnownRequest?
    }

    private let slots: Mutex<[Slot]>
    /// The memory that heads, and their answers, may take.
    let room: StorageBudget

    init(count: Int = 8192, room: Int = 16 << 20) {
      slots = Mutex(Array(repeating: Slot(), count: count))
      self.room = StorageBudget(limit: room)
    }

    /// What is known of a head.
    enum Finding {
      case known(KnownRequest)
      /// It came before, and may come again.
      case seen
      case new
    }

    /// - Parameter peer: Where what a request means depends on who has sent it.
    func find(_ head: ByteBuffer, from peer: String?, at port: Int?) -> Finding {
      let hash = Self.hash(head)
      return slots.withLock { slots in
        let index = Int(UInt(bitPattern: hash) % UInt(slots.count))
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
        slots[Int(UInt(bitPattern: hash) % UInt(slots.count))] = Slot(
          hash: hash, request: request)
      }
    }

    /// Forgets what is known where there is no room for more: those who ask once and then never again would else keep
    /// everybody else's requests from being known for good. What comes again is known again at once.
    ///
    /// - Parameter size: The bytes that were to be taken.
    func makeRoom(for size: Int) {
      guard !room.take(size) else { return room.giveBack(size) }
      // What is forgotten ends behind the lock.
      _ = slots.withLock { slots -> [Slot] in
        let forgotten = slots
        slots = forgotten.map { Slot(hash: $0.hash) }
        return forgotten
      }
    }

    private static func hash(_ head: ByteBuffer) -> Int {
      var hasher = Hasher()
      unsafe head.withUnsafeReadableBytes { unsafe hasher.combine(bytes: $0) }
      return hasher.finalize()
    }
  }

  extension ByteBuffer {
    /// The bytes of a head with the empty line behind it, where all of them are here; `nil` for one that is longer than
    /// those that are known.
    var wholeHead: ByteBuffer? {
      let length = unsafe withUnsafeReadableBytes { bytes -> Int? in
        var index = 3
        let end = min(bytes.count, Self.greatestKnownHead)
        while index < end {
          // Few bytes are the last of a line.
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
    /// A longer head is read each time.
    private static var greatestKnownHead: Int { 2 << 10 }
  }

  /// A request without content, and the answer that it had last from a copy.
  final class KnownRequest: Sendable {
    let head: ByteBuffer
    let peer: String
    let port: Int?
    let incoming: IncomingRequest
    private let read: GatewayRequest
    private let room: StorageBudget
    /// The answer, for as long as it stays the same to the byte.
    private let last = Mutex<KnownAnswer?>(nil)

    /// `nil` for a request that no copy may answer, that is the last on its connection, or that there is no room for.
    init?(
      _ head: ByteBuffer, from peer: String, at port: Int?, _ incoming: IncomingRequest,
      _ read: GatewayRequest, in room: StorageBudget
    ) {
      guard read.framing == .none, read.mayBeAnsweredFromCopy, incoming.allowsNext,
        room.take(Self.size(of: head))
      else { return nil }
      // A slice keeps all of the buffer that it is of.
      self.head = ByteBuffer(bytes: head.readableBytesView)
      (self.peer, self.port, self.incoming, self.read) = (peer, port, incoming, read)
      self.room = room
    }

    deinit { room.giveBack(Self.size(of: head) + (answer?.rendered.size ?? 0)) }

    /// The words, and what was read from them, which has most of them three times.
    static func size(of head: ByteBuffer) -> Int { 1024 + 4 * head.readableBytes }

    /// One that there is no room for is not kept.
    var answer: KnownAnswer? {
      get { last.withLock(\.self) }
      set {
        last.withLock { answer in
          if let size = answer?.rendered.size { room.giveBack(size) }
          answer = newValue.flatMap { room.take($0.rendered.size) ? $0 : nil }
        }
      }
    }

    /// The request as it was understood, of another peer.
    func read(from peer: String) -> GatewayRequest {
      guard peer != self.peer, read.client != nil else { return read }
      var read = read
      read.client = ForwardedClient(peer, incoming.fields, trusting: [])
      return read
    }
  }

  /// An answer from a plain copy as bytes, and what it holds for.
  struct KnownAnswer: Sendable {
    let rendered: RenderedAnswer
    let decision: String?
    fileprivate let key: String
    fileprivate let copy: KeptResidence
    /// The second that a date of its own is of.
    fileprivate let second: Int64
    /// When its age is another one, by the clock of the boot.
    fileprivate let end: Int64

    /// More is not kept beside the copy itself.
    fileprivate static let greatestSize = 16 << 10
  }

  /// What memory had of the copy that may answer a request, before it was looked at.
  struct KnownCopy: Sendable {
    fileprivate let residence: KeptResidence
    fileprivate let moment: ClockReading
  }

  extension GatewayCore {
    /// The answer that a request has had, where it would be the same now: of a copy that nothing has happened to, and of
    /// the same age in seconds.
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

    /// The copy that may answer a request whose words are known, as memory has it now.
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
        // Whoever looks for the copy itself is told.
        return nil
      }
    }

    /// Keeps an answer for those who ask in the same words within the same second, where it was made from the copy that
    /// is there, and at this very moment: a little earlier its age may have been another one.
    ///
    /// - Parameter copy: What memory had before the answer was made.
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
    /// How long its age, and the time for which it is fresh, stay the same in whole seconds, also for a request that sets
    /// them a bound: one of exactly a second is as old as `max-age=1` allows, and too old a moment later.
    fileprivate var millisecondsOfSameAge: Int64 {
      let (age, left) = (age.wholeMilliseconds, freshFor.wholeMilliseconds)
      return min((1000 - age % 1000) % 1000, max(0, left) % 1000)
    }
  }

  /// The beginnings with requests whose words came before.
  extension ConnectionHandler {
    /// Begins with the next request, if its words are known.
    ///
    /// - Returns: Whether it has; and the bytes of its head, where they came before and may come again.
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

    /// Keeps what was read of a head that came before, for those that come again; `nil` where it is not to be kept.
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

    /// The peer, where what it asks depends on who it is.
    private var peerOfMeaning: String? { core.reading.dependsOnPeer ? slot?.peer : nil }
  }
#endif
