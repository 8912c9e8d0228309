import FreshStore
import FreshStoreTesting
import Synchronization

/// Marks, and the places of hosts among them.
extension FleetLaws {
  /// The newest known place in the journal; `nil` before anybody has asked.
  var end: SharedPosition? {
    state.withLock { $0.marks.last?.mark.position ?? $0.beginning }
  }

  /// The journal begins here.
  func begin(at position: SharedPosition) {
    state.withLock { state in
      if state.beginning == nil { state.beginning = position }
    }
  }

  /// Marks are made.
  func note(made marks: [SharedMark]) {
    let event = history.event()
    state.withLock { state in
      for mark in marks { state.marks.append(Mark(mark: mark, event: event)) }
    }
  }

  // MARK: Losses

  func save() {
    let event = history.event()
    state.withLock { state in
      state.saved = Saved(beginning: state.beginning, marks: state.marks, event: event)
    }
  }

  /// The tier goes back to its copy.
  ///
  /// The marks after the copy are forgotten if no host can miss them. No host is further than the
  /// copy then, or each such host has joined another fleet since.
  func restore() {
    let lost = state.withLock { state -> Int? in
      guard let saved = state.saved else { return nil }
      let isNoticed = state.positions.contains { $0.map { saved.lacks($0) } ?? false }
      (state.beginning, state.marks) = (saved.beginning, saved.marks)
      state.loseTrack()
      return isNoticed ? nil : saved.event
    }
    if let lost { history.forgetMarks(after: lost) }
  }

  /// The tier begins again with nothing: it is another fleet's tier, at the same place. Its hosts
  /// tell it the marks that they have kept.
  func empty() {
    state.withLock { state in
      (state.beginning, state.marks) = (nil, [])
      state.loseTrack()
    }
  }

  // MARK: Hosts

  /// A host's file has a place: the marks up to it are applied, and it never goes back.
  func judge(_ position: SharedPosition?, of host: Int) {
    let applied = state.withLock { state -> [Mark] in
      if let last = state.positions[host], state.knows(last), !state.isUnsettled,
        position?.number ?? 0 < last.number
      {
        history.find(
          "host \(host) has gone back among the marks, from \(last.number) to "
            + "\(position?.number ?? 0)")
      }
      state.positions[host] = position
      guard let position,
        let place = state.marks.lastIndex(where: { $0.mark.position == position })
      else { return [] }
      return Array(state.marks[...place])
    }
    for mark in applied {
      for record in 0..<Place.count where covers(mark.mark.scope, record) {
        history.applied(record, since: mark.event, on: host)
      }
    }
  }

  /// A process is another one, which knows nothing.
  func bury(_ process: Int) {
    state.withLock { $0.processes[process] = Process() }
  }

  /// A call of a process has failed, and further ones do so at once.
  func noteOutage(of process: Int) {
    state.withLock { state in
      state.processes[process].hasFailed = true
      (state.processes[process].answered, state.processes[process].known) = (nil, nil)
    }
  }

  /// The tier is in reach of a process again: one that was told of nothing yet was not away.
  func noteReached(by process: Int) {
    state.withLock { $0.processes[process].hasFailed = false }
  }

  /// A call of a process was answered.
  ///
  /// - Parameter news: When the tier has done it, if the answer holds the marks from before; `nil` otherwise.
  func noteAnswer(to process: Int, news heard: Int?) {
    let event = history.event()
    state.withLock { state in
      state.processes[process].hasFailed = false
      state.noteWord(to: process % state.silences.count)
      if state.processes[process].isOut {
        state.processes[process].isOut = false
        state.processes[process].answered = event
      } else if let heard {
        // Whether it can apply them or not.
        state.processes[process].answered = max(state.processes[process].answered ?? 0, heard)
      }
    }
  }

  /// Every process has dealt with what it has heard.
  ///
  /// - Parameter isQuiet: True when nothing is in flight.
  func noteRest(isQuiet: Bool) {
    let rest = history.lastRest
    state.withLock { state in
      if isQuiet { state.isUnsettled = false }
      state.noteSilences(at: rest)
      state.pauses.noteRest()
      for process in state.processes.indices {
        if let answered = state.processes[process].answered {
          state.processes[process].known = max(state.processes[process].known ?? 0, answered)
          state.processes[process].answered = nil
        }
        if state.processes[process].hasFailed { state.processes[process].isOut = true }
        state.processes[process].hasFailed = false
      }
    }
  }

  /// The event of the newest mark of a record that a process is known to lack or to have applied.
  ///
  /// It is the event since which the host had been out of contact for too long, if that is later; 0
  /// without either. A copy from before the event is not fresh in the process.
  func missed(_ record: Int, by process: Int, on host: Int) -> Int {
    let (marks, suspected) = state.withLock { state -> ([Mark], Int) in
      let suspected = state.longestAlone == nil ? 0 : state.silences[host].suspected
      guard let known = state.processes[process].known else { return ([], suspected) }
      return (state.marks.filter { $0.event < known }, suspected)
    }
    let marked =
      marks.last { mark in
        covers(mark.mark.scope, record)
          && history.isUntouched(record, since: mark.event, on: host)
      }?.event ?? 0
    guard suspected > marked, history.isUntouched(record, since: suspected, on: host) else {
      return marked
    }
    return suspected
  }
}

extension FleetLaws.State {
  /// Leases are gone, and messages in flight belong to another journal.
  fileprivate mutating func loseTrack() {
    (grants, isUnsettled) = ([:], true)
    pauses.loseTrack()
    for process in processes.indices {
      (processes[process].known, processes[process].answered) = (nil, nil)
    }
  }
}
