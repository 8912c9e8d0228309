internal import BenchmarkKit
internal import Reachability
internal import Strategies

/// The contestants that report the reachability of an address, in the network of this process.
struct ReadContestants {
  /// The peer's cheapest read.
  static let peerRead = "GLib network_available"

  /// The contestants, the floor first.
  private(set) var all: [Contestant]
  /// The part of the peer that takes part, or the reason why none does.
  let peer: String

  /// Starts everything needed, in the network of this process.
  init(_ addresses: [(IPAddress, String)]) throws(Failure) {
    let word = SharedWord(1)
    all = [
      Contestant("floor: one acquire load", answer: "") { ReadLoops.inlineLoad(word, $0) },
      Contestant("the same load behind a call", answer: "") { ReadLoops.calledLoad(word, $0) },
    ]
    for (address, _) in addresses { all += Self.ours(address) }
    let glib: GLibMonitor
    do throws(Failure) {
      glib = try GLibMonitor()
    } catch {
      guard case .noGLib = error else { throw error }
      peer = "\(error)"
      return
    }
    peer = glib.name
    all.append(
      Contestant(Self.peerRead, answer: glib.isAvailable ? "available" : "not available") {
        ReadLoops.isAvailable(glib, $0)
      })
    for (_, text) in addresses {
      let address = try glib.address(text)
      let answer = glib.canReach(address) ? "can reach" : "cannot reach"
      all.append(
        Contestant("GLib can_reach", answer: answer) { ReadLoops.canReach(glib, address, $0) })
    }
  }

  private static func ours(_ address: IPAddress) -> [Contestant] {
    let monitor = RouteMonitor(target: address)
    let provider = Provider(monitor)
    let kernel = KernelReachability(target: address)
    let table = RouteTableReachability(targets: [address])
    return [
      Contestant("RouteMonitor", answer: monitor.reachability().code) {
        ReadLoops.monitor(monitor, $0)
      },
      Contestant("RouteMonitor as any provider", answer: provider.value.reachability().code) {
        ReadLoops.existential(provider, $0)
      },
      Contestant("KernelReachability", answer: kernel.reachability().code) {
        ReadLoops.kernel(kernel, $0)
      },
      Contestant("RouteTableReachability", answer: table.reachability().code) {
        ReadLoops.table(table, $0)
      },
    ]
  }
}
