#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

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
#endif
