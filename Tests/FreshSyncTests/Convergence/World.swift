import Foundation
import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies

/// A server, its devices, and a schedule of events that a seed reproduces.
final class World {
  let laws = BrokenLaws()
  private let scenario: Scenario
  private let server: ModelServer
  private let network: ModelNetwork
  private var devices: [Device] = []
  private var generator: SeededGenerator
  private var strays: [Flight.Stray] = []
  private let isLoud: Bool
  private var words = 0
  private var lastKey = 0
  /// The words that were written, by devices and at the server, by key.
  private var written: [String: [String]] = [:]
  /// The events, line by line.
  private(set) var log: [String] = []

  init(seed: UInt64, _ scenario: Scenario, isLoud: Bool = false) throws {
    self.isLoud = isLoud
    self.scenario = scenario
    generator = SeededGenerator(seed: seed)
    server = ModelServer(scenario)
    network = ModelNetwork(
      server, scenario, seed: generator.next(), listsValues: Bool.random(using: &generator))
    let isAlone = Bool.random(using: &generator) && !scenario.hasTwoDevices
    for name in isAlone ? ["phone"] : ["phone", "laptop"] {
      let policy = scenario.policies[random(scenario.policies.count)]
      devices.append(
        try Device(
          name, policy, network, laws, seed: generator.next(), attempts: scenario.maximumAttempts))
      log.append("\(name): \(policy)")
    }
    changeWeather()
  }

  private func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  private func chance(_ percent: Int) -> Bool { random(100) < percent }

  /// Half the time the key of the last event, so that many events coincide.
  private func key() -> String {
    if chance(50) { lastKey = random(scenario.keys) }
    return "k\(lastKey)"
  }

  private func word(_ author: String) -> String {
    words += 1
    return "\(author.prefix(1))\(words)"
  }

  private func note(_ line: String) {
    let lines = [line] + network.takeLog().map { "    \($0)" }
    log += lines
    guard isLoud else { return }
    for line in lines { print(line) }
    fflush(nil)
  }

  // MARK: The run

  /// Lets this many events happen, then repairs the network and checks every law.
  func run(steps: Int) async throws {
    for _ in 0..<steps where laws.all.isEmpty {
      for device in devices { device.clock.advance(by: .seconds(random(6))) }
      try await step(devices[random(devices.count)])
      for device in devices { check(device) }
    }
    guard laws.all.isEmpty else { return await release() }
    try await converge()
  }

  private func step(_ device: Device) async throws {
    let isWaiting = !(device.pushes + device.reads).isEmpty
    switch random(100) {
    case 0..<9 where isWaiting: await goOn(device)
    case 9..<12 where isWaiting: await timeOut(device)
    case 12..<14 where !strays.isEmpty: deliver()
    case 0..<32: try await edit(device)
    case 32..<46: editAtServer()
    // The schedule waits for a drain, so a merge in it cannot wait for the schedule.
    case 46..<54 where !scenario.mergesSlowly: try await drain(device)
    case 46..<67: try await push(device)
    case 67..<74: await follow(device)
    case 74..<78: await get(device)
    case 78..<80: try await giveBack(device)
    case 80..<83: try await askForMore(device)
    case 83..<87: try await die(device)
    case 87..<89: try await mark(device)
    case 89..<96: turnClock(device)
    case 96..<98: toggle(device)
    default: changeWeather()
    }
  }

  /// A record with waiting writes shows the last of them.
  private func check(_ device: Device) {
    for number in 0..<scenario.keys {
      guard let line = device.account.expected("k\(number)") else { continue }
      do throws(StoreError) {
        let shown = try device.life.notes.read(line.key).copy?.value
        guard shown != line.words else { continue }
        laws.note("\(device.name): \(line.key) shows \(shown ?? []), not \(line.words ?? [])")
      } catch {
        laws.note("\(device.name): \(error)")
      }
    }
  }

  // MARK: Edits

  private func edit(_ device: Device) async throws {
    let (key, notes) = (key(), device.life.notes)
    let copy = try notes.read(key).copy?.value
    let word = word(device.name)
    let isLucky = chance(50)
    let options = WriteOptions(coalesces: scenario.coalesces ?? isLucky)
    let kind: WriteKind =
      if copy == nil {
        chance(80) || scenario.onlyAdds ? .create : .replace
      } else {
        [.replace, .patch(Array(word.utf8), contentType: "text/plain"), .delete][
          random(scenario.onlyAdds ? 2 : 3)]
      }
    note("\(device.name) \(kind) \(key) \(word)\(options.coalesces ? ", may coalesce" : "")")
    guard kind != .delete else {
      guard let entry = try await notes.writeDeletion(of: key, options: options) else {
        return device.account.noteNothing(key)
      }
      return device.account.note(entry, nil, upon: copy)
    }
    var value = [word]
    if case .patch = kind { value = (copy ?? []) + value }
    if case .replace = kind, scenario.onlyAdds { value = (copy ?? []) + value }
    written[key, default: []].append(word)
    let entry = try await notes.write(value, for: key, as: kind, options: options)
    device.account.note(entry, value, upon: copy)
  }

  private func editAtServer() {
    let (key, word) = (key(), word("server"))
    let luck = random(3) | (scenario.onlyAdds ? 1 : 0)
    written[key, default: []].append(word)
    server.edit(key) { present in
      switch luck {
      case 0: [word]
      case 1, 3: (present ?? []) + [word]
      default: present == nil ? [word] : nil
      }
    }
    note("the server holds \(server.current[key]?.words ?? []) for \(key)")
  }

  // MARK: Requests

  private func drain(_ device: Device) async throws {
    let report = try await device.life.synchronizer.drain()
    note("\(device.name) drains: \(report)")
  }

  private func push(_ device: Device) async throws {
    let holding = Duration.seconds(1 + random(60))
    try await device.push(1 + random(3), holding: holding)
    note("\(device.name) pushes, claims held for \(holding)")
  }

  private func goOn(_ device: Device) async {
    let flights = device.pushes + device.reads
    await flights[random(flights.count)].goOn()
    device.forgetEnded()
    note("\(device.name): a request goes on")
  }

  private func timeOut(_ device: Device) async {
    let flights = device.pushes + device.reads
    if let stray = await flights[random(flights.count)].timeOut() { strays.append(stray) }
    device.forgetEnded()
    note("\(device.name): the time of a request runs out")
  }

  private func deliver() {
    strays.remove(at: random(strays.count))()
    note("a request arrives that nobody waits for")
  }

  private func giveBack(_ device: Device) async throws {
    try await device.giveBack()
    note("\(device.name) gives writes back")
  }

  private func follow(_ device: Device) async {
    await device.follow()
    note("\(device.name) follows the list")
  }

  private func get(_ device: Device) async {
    // A second one would wait for the first.
    guard device.reads.isEmpty else { return }
    let key = key()
    await device.get(key)
    note("\(device.name) gets \(key)")
  }

  // MARK: Trouble

  private func askForMore(_ device: Device) async throws {
    let entries = try device.life.store.outbox()
    guard !entries.isEmpty else { return }
    let entry = entries[random(entries.count)]
    if chance(50) || scenario.onlyAdds {
      let parked = entries.filter { $0.state == .parked }.map(\.id)
      note("\(device.name) retries \(try await device.life.store.retry(parked).count) writes")
    } else {
      try await device.account.dropping { _ = try await device.life.store.drop([entry.id]) }
      note("\(device.name) drops \(entry.kind) \(entry.key), \(entry.state)")
    }
  }

  private func die(_ device: Device) async throws {
    // Only its own process may wait for a fetch that is in flight.
    while let flight = device.reads.first {
      _ = await flight.timeOut()
      device.forgetEnded()
    }
    if device.pushes.isEmpty, chance(30) {
      try await device.restart()
      note("\(device.name) starts anew")
    } else {
      try await device.die()
      note("\(device.name) is killed and starts anew")
    }
  }

  private func mark(_ device: Device) async throws {
    if chance(50) {
      _ = try await device.life.store.sweep()
      note("\(device.name) sweeps")
    } else {
      let key = key()
      try await device.life.notes.markStale(key)
      note("\(device.name) marks \(key)")
    }
  }

  private func turnClock(_ device: Device) {
    let seconds = Duration.seconds(1 + random(chance(20) ? 7200 : 90))
    switch random(10) {
    case 0: device.clock.stepWall(by: seconds * -1)
    case 1: device.clock.stepWall(by: seconds)
    case 2: device.clock.reboot(after: seconds)
    default: device.clock.advance(by: seconds)
    }
    note("\(device.name)'s clock is at \(device.clock.reading())")
  }

  private func toggle(_ device: Device) {
    let isOffline = device.reachability.reachability().isProvablyOffline
    device.reachability.set(isOffline ? .online : .offline("cut"))
    note("\(device.name) is \(isOffline ? "online" : "offline")")
  }

  private func changeWeather() {
    var weather = ModelNetwork.Weather()
    if chance(85) {
      weather.losesRequest = random(20)
      weather.losesAnswer = random(30)
      weather.refuses = random(8)
      weather.holds = random(70)
    }
    network.set(weather)
    note("the weather is \(weather)")
  }

  // MARK: The end

  private func release() async {
    for device in devices {
      while let flight = (device.pushes + device.reads).first {
        await flight.goOn()
        device.forgetEnded()
      }
    }
  }

  private func converge() async throws {
    network.set(ModelNetwork.Weather())
    await release()
    for device in devices { device.reachability.set(.online) }
    note("the network is whole")
    try await settleAll()
    for device in devices { try compare(device, onList: true) }
    for device in devices {
      device.clock.advance(by: .seconds(7200))
      _ = try await device.life.store.sweep()
    }
    note("every copy has expired")
    try await settleAll()
    if scenario.onlyAdds { checkWords() }
    for device in devices {
      try compare(device, onList: false)
      device.account.audit(except: scenario.stuckKey)
      let check = try await device.end()
      if !check.isSound { laws.note("\(device.name): the file is damaged: \(check)") }
    }
  }

  /// No update is lost, and none has been made twice.
  private func checkWords() {
    for (key, words) in written {
      let found = server.current[key]?.words ?? []
      for word in words {
        let times = found.count { $0 == word }
        if times != 1 { laws.note("\(word) is \(times) times in \(found) for \(key)") }
      }
    }
  }

  /// Drains until nothing changes any more. Retries parked writes, except the writes that the
  /// server never accepts.
  private func settleAll() async throws {
    for _ in 0..<20 {
      var isQuiet = true
      for device in devices {
        // A clock that was set back makes a pause longer.
        device.clock.advance(by: .seconds(3600))
        let store = device.life.store
        let parked = try store.outbox(state: .parked).filter { $0.key != scenario.stuckKey }
          .map(\.id)
        try await store.retry(parked)
        try await drain(device)
        isQuiet = isQuiet && parked.isEmpty
      }
      let left = try devices.map { try unsettled(of: $0) }
      if isQuiet, left.allSatisfy({ $0 == 0 }) {
        // The pushes of one device are news for the other.
        for device in devices {
          await follow(device)
          try await drain(device)
        }
        return
      }
    }
    laws.note("the devices never come to rest")
  }

  /// The number of writes that have not ended. Of the writes that the server never accepts, the
  /// first must be parked.
  private func unsettled(of device: Device) throws -> Int {
    let entries = try device.life.store.outbox()
    let stuck = entries.first { $0.key == scenario.stuckKey }
    return entries.count { $0.key != scenario.stuckKey }
      + (stuck.map { $0.state == .parked ? 0 : 1 } ?? 0)
  }

  /// Both sides agree: first on the records that the list reports, finally on all records.
  private func compare(_ device: Device, onList: Bool) throws {
    let members = Set(try device.life.notes.members(of: Device.list))
    for number in 0..<scenario.keys {
      let key = "k\(number)"
      guard !onList || members.contains(key), key != scenario.stuckKey else { continue }
      let (own, theirs) = (
        try device.life.notes.read(key).copy?.value, server.current[key]?.words
      )
      guard own != theirs else { continue }
      laws.note("\(device.name) holds \(own ?? []) for \(key), the server \(theirs ?? [])")
    }
  }
}
