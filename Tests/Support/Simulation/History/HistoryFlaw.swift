/// A deliberate mistake of a source, or of what the hosts of a fleet share, that the simulation has to detect.
public enum HistoryFlaw: String, CaseIterable, Sendable {
  /// The source answers with its value from before the question.
  case answersLate
  /// It answers with another record's value.
  case mixesRecords
  /// It answers with another version's tag.
  case mixesTags
  /// It accepts writes and forgets them.
  case forgetsWrites
  /// It leaves members out of its lists.
  case skipsMembers
  /// The shared tier grants a lease that another host has.
  case grantsTwice
  /// It acknowledges marks and forgets them.
  case losesMarks
  /// It leaves marks out of its news.
  case hidesMarks
  /// It hands out what came under a lease that another host has by then.
  case handsOutLate
  /// Its news end before the place that the host has told.
  case stepsBack
  /// It takes pauses of origins and tells nobody.
  case hidesPauses

  /// Those of a source.
  public static var ofSource: [HistoryFlaw] { allCases.filter { !ofFleet.contains($0) } }
  /// Those of a shared tier.
  public static let ofFleet: [HistoryFlaw] = [
    .grantsTwice, .losesMarks, .hidesMarks, .handsOutLate, .stepsBack, .hidesPauses,
  ]
}
