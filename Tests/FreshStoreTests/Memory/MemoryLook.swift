/// The memory's state of a record.
enum MemoryLook: Equatable {
  case nothing, current, outdated
}
