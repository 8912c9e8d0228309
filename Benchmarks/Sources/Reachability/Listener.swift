/// The listeners to changes of routes, each in a process of its own.
enum Listener: String {
  case nobody
  case ours
  case glib
}
