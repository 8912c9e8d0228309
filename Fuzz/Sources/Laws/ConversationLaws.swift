import Platform

@testable import Reachability

/// The laws that ``RouteAnswer`` keeps for any replies of the kernel to its questions.
struct ConversationLaws {
  let target: IPAddress
  let replies: [UInt8]

  /// A question about the address, one about an object, and one about each of its members that
  /// counts; IPv6 asks about the address twice.
  private var mostQuestions: Int {
    let once = 1 + 1 + 32
    return if case .v4 = target { once } else { 2 * once }
  }

  /// The laws for bytes that hold the replies to all the questions of an answer.
  static func check(_ replies: [UInt8]) {
    let network: UInt128 = 0x2001_0DB8 << 96
    for target: IPAddress in [.v4(0xCB00_7109), .v6(network | 9), .v6(0xFE80 << 112 | 1)] {
      ConversationLaws(target: target, replies: replies).check(from: nil)
      ConversationLaws(target: target, replies: replies).check(from: .v6(network | 2))
    }
  }

  private func check(from source: IPAddress?) {
    let (answer, questions) = ask(from: source)
    law("the same replies have the same answer", ask(from: source).answer == answer)
    law("the number of questions has a bound", questions.count <= mostQuestions)
    guard !target.isLinkLocal else {
      if case .failed = answer {
        return law("what cannot be answered is not asked", questions == [])
      }
      return law("an address of one link has no answer", false)
    }
    guard case .route(let route, let resolved) = answer else { return }
    law("a route that drops is no way out", RouteCause(kind: route.kind) == nil)
    law("a route without carrier is no way out", !route.isLinkDown)
    guard case .v6 = target else { return law("IPv4 is not resolved", resolved == nil) }
    let isLinkLocal = resolved?.source.map { IPAddress.v6($0).isLinkLocal } ?? false
    let leavesLink = route.isDefault || resolved?.gateway != nil
    law("a link-local source is no way off the link", !isLinkLocal || !leavesLink)
  }

  private func ask(from source: IPAddress?) -> (answer: RouteAnswer, questions: [RouteQuestion]) {
    var questions: [RouteQuestion] = []
    let answer = RouteAnswer(for: target, source: { _ in source }) {
      question throws(ErrorNumber) in
      questions.append(question)
      guard let reply = RouteReply(replies, sequence: Self.number(of: question)) else {
        throw .noAnswer
      }
      return reply
    }
    return (answer, questions)
  }

  /// The number of the reply that answers a question.
  private static func number(of question: RouteQuestion) -> UInt32 {
    switch question {
    case .entry: 1
    case .resolved: 2
    case .nextHop(let number): 256 &+ number
    }
  }
}
