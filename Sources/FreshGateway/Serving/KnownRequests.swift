#if Gateway
  internal import NIOCore
  internal import Synchronization

  /// The heads that came more than once in the same words, and what was read from them: most clients ask for the same
  /// again and again, and many in the words of others.
  ///
  /// A head is kept from the second time on, so that one that never comes again takes no memory. Its place is given by a
  /// hash that nobody can foresee, and the last that comes takes it.
  final class KnownRequests: Sendable {
    private struct Place {
      var hash = 0
      var request: KnownRequest?
    }

    private let places: Mutex<[Place]>
    /// The memory that heads, and their answers, may take.
    let room: StorageBudget

    init(count: Int = 8192, room: Int = 16 << 20) {
      places = Mutex(Array(repeating: Place(), count: count))
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
      return places.withLock { places in
        let index = Int(UInt(bitPattern: hash) % UInt(places.count))
        guard places[index].hash == hash else {
          places[index] = Place(hash: hash)
          return .new
        }
        guard let known = places[index].request, known.head == head, known.port == port,
          peer == nil || known.peer == peer
        else { return .seen }
        return .known(known)
      }
    }

    func add(_ request: KnownRequest) {
      let hash = Self.hash(request.head)
      places.withLock { places in
        places[Int(UInt(bitPattern: hash) % UInt(places.count))] = Place(
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
      _ = places.withLock { places -> [Place] in
        let forgotten = places
        places = forgotten.map { Place(hash: $0.hash) }
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
        var place = 3
        let end = min(bytes.count, Self.greatestKnownHead)
        while place < end {
          // Few bytes are the last of a line.
          guard unsafe bytes[place] == UInt8(ascii: "\n") else {
            place += 1
            continue
          }
          if unsafe bytes[place - 2] == UInt8(ascii: "\n"), unsafe bytes[place - 1] == Self.return,
            unsafe bytes[place - 3] == Self.return, unsafe bytes[0] != Self.return
          {
            return place + 1
          }
          place += 1
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
#endif
