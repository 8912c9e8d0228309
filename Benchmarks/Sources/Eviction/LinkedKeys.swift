/// Doubly linked circular lists over dense keys; a key is in at most one of the lists.
struct LinkedKeys {
  private struct Link {
    var next: Int32
    var previous: Int32
  }

  private var links: [Link]
  private let universe: Int

  init(universe: Int, lists: Int) {
    self.universe = universe
    links = (0..<Int32(universe + lists)).map { Link(next: $0, previous: $0) }
  }

  /// The oldest key of a list.
  func tail(_ list: Int) -> Int32? {
    let key = links[universe + list].previous
    return key < universe ? key : nil
  }

  /// The neighbour of a key towards the head, or `nil` at the head.
  func newer(than key: Int32) -> Int32? {
    let newer = links[Int(key)].previous
    return newer < universe ? newer : nil
  }

  mutating func pushHead(_ list: Int, _ key: Int32) {
    let sentinel = Int32(universe + list)
    let first = links[Int(sentinel)].next
    links[Int(key)] = Link(next: first, previous: sentinel)
    links[Int(first)].previous = key
    links[Int(sentinel)].next = key
  }

  mutating func unlink(_ key: Int32) {
    let link = links[Int(key)]
    links[Int(link.previous)].next = link.next
    links[Int(link.next)].previous = link.previous
  }

  mutating func moveToHead(_ list: Int, _ key: Int32) {
    unlink(key)
    pushHead(list, key)
  }
}
