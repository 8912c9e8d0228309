/// How much of a commit survives a power cut. A crash of the process loses no commit either way.
///
/// Source: https://sqlite.org/pragma.html#pragma_synchronous, in WAL mode.
public enum Durability: Sendable, Hashable {
  /// A power cut may undo the newest commits, never half of one, and never one without those before it
  /// (`synchronous=NORMAL`). The commit waits for no disk.
  case normal
  /// No acknowledged commit is lost (`synchronous=FULL`). The commit waits until the disk has it.
  case full
}
