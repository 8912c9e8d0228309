import Strategies
import Testing

@testable import FreshStore
@testable import FreshSync

/// Writes that come to wait while others do.
@Suite struct FairQueueTests {
  private static func write(
    _ id: Int64, _ key: String, priority: Int64 = 0, due: Int64 = 0,
    of collection: String = "a", isLarge: Bool = false, hasFailed: Bool = false,
    isSuspect: Bool = false
  ) -> WaitingWrite {
    WaitingWrite(
      id: id, collection: collection, key: key, origin: "o", address: nil, isLarge: isLarge,
      hasFailed: hasFailed, isSuspect: isSuspect, priority: priority,
      dueAt: Timestamp(millisecondsSinceEpoch: due))
  }

  /// The numbers in the order in which they are taken.
  private static func order(
    of queue: FairQueue<WaitingWrite>, areOnTrial: Bool = false
  ) -> [Int64] {
    var (queue, ids): (FairQueue<WaitingWrite>, [Int64]) = (queue, [])
    while let lane = queue.first(besides: [], isOnTrial: { _ in areOnTrial }) {
      ids += queue.take(1, of: lane, forTrial: areOnTrial).map(\.id)
    }
    return ids
  }

  @Test func `a write that has never failed makes the trial, of whichever collection it is`() {
    let queue = FairQueue(
      [
        Self.write(1, "1", hasFailed: true), Self.write(2, "2", due: 7),
        Self.write(3, "3", of: "b", hasFailed: true), Self.write(4, "4", due: 8, of: "b"),
      ], truncated: [])
    #expect(Self.order(of: queue, areOnTrial: true) == [2, 4, 1, 3])
    #expect(Self.order(of: queue) == [1, 3, 2, 4])
  }

  @Test func `those that make a trial in one request have all failed, or none has`() {
    var queue = FairQueue(
      [
        Self.write(1, "1", hasFailed: true), Self.write(2, "2", due: 1),
        Self.write(3, "3", due: 2, hasFailed: true), Self.write(4, "4", due: 3),
      ], truncated: [])
    let lane = queue.first(besides: [], isOnTrial: { _ in true })
    #expect(lane.map { queue.take(9, of: $0, forTrial: true).map(\.id) } == [2])
  }

  @Test func `a write is put into its place`() {
    var queue = FairQueue([Self.write(1, "1"), Self.write(4, "4", due: 1)], truncated: [])
    queue.insert(Self.write(2, "2"))
    queue.insert(Self.write(3, "3", priority: 5))
    queue.insert(Self.write(5, "5", due: 1))
    queue.insert(Self.write(6, "6", of: "b"))

    #expect(queue.count == 6)
    #expect(Self.order(of: queue) == [3, 1, 2, 6, 4, 5])
  }

  @Test func `a higher priority goes first, whatever the time since which the others are due`() {
    let queue = FairQueue(
      [Self.write(1, "1", priority: 9, due: 7), Self.write(2, "2", due: 3)], truncated: [])
    #expect(Self.order(of: queue) == [1, 2])
  }

  @Test func `a suspect goes by itself`() {
    var queue = FairQueue(
      [Self.write(1, "1"), Self.write(2, "2", isSuspect: true), Self.write(3, "3")], truncated: [])
    var batches: [[Int64]] = []
    while let lane = queue.first(besides: [], isOnTrial: { _ in false }) {
      batches.append(queue.take(9, of: lane).map(\.id))
    }
    #expect(batches == [[1], [2], [3]])
  }

  @Test func `a write takes the place of another one of its key, however large`() {
    var queue = FairQueue([Self.write(1, "1", isLarge: true), Self.write(2, "2")], truncated: [])
    queue.insert(Self.write(1, "1", due: 1))
    queue.insert(Self.write(1, "1", of: "b"))

    #expect(queue.count == 3)
    #expect(Self.order(of: queue) == [1, 2, 1])
  }

  @Test func `a write that belongs behind a page that was cut is left for the next one`() {
    let share = FairShare("o")
    var queue = FairQueue([Self.write(1, "1"), Self.write(2, "2")], truncated: [share])
    queue.insert(Self.write(9, "9"))
    queue.insert(Self.write(10, "10", of: "b"))
    queue.insert(Self.write(8, "8", priority: 1, of: "b"))

    #expect(Self.order(of: queue) == [8, 1, 2])
  }
}
