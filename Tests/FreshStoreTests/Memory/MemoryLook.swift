/// What the memory of a store says of a record.
enum MemoryLook: Equatable {
  case nothing, current, outdated
}
