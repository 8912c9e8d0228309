internal import Foundation
internal import Synchronization

/// Ends the processes and removes the folders that the tests leave. A server that lived on would
/// keep the output of the tests open, and a reader of that output would wait for ever.
enum AtExit {
  private struct Left {
    var processes: [Int32] = []
    var folders: Set<String> = []
  }

  private static let left = Mutex(Left())

  private static let isRegistered = atexit {
    let left = AtExit.left.withLock { $0 }
    for process in left.processes { kill(process, SIGKILL) }
    for folder in left.folders {
      // It lies below /tmp.
      try? FileManager.default.removeItem(atPath: folder)
    }
  }

  static func end(_ process: Int32) {
    _ = isRegistered
    left.withLock { $0.processes.append(process) }
  }

  /// Call it once the process has ended: its number may become another's.
  static func forget(_ process: Int32) {
    left.withLock { $0.processes.removeAll { $0 == process } }
  }

  static func remove(_ folder: String) {
    _ = isRegistered
    _ = left.withLock { $0.folders.insert(folder) }
  }
}
