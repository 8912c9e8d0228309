/// The functions of PostgreSQL's libpq in use.
///
/// Pointers that libpq alone dereferences are passed as numbers.
@safe
struct PostgreSQLLibrary {
  typealias Text = UnsafePointer<CChar>
  typealias Execute =
    @convention(c) (
      UInt, Text, Int32, UnsafePointer<Text?>, UnsafePointer<Int32>, UnsafePointer<Int32>, Int32
    ) -> UInt

  let connect: @convention(c) (Text) -> UInt
  let status: @convention(c) (UInt) -> Int32
  let errorMessage: @convention(c) (UInt) -> Text?
  let finish: @convention(c) (UInt) -> Void
  let run: @convention(c) (UInt, Text) -> UInt
  let prepare: @convention(c) (UInt, Text, Text, Int32, UInt) -> UInt
  let executePrepared: Execute
  let resultStatus: @convention(c) (UInt) -> Int32
  let rows: @convention(c) (UInt) -> Int32
  let length: @convention(c) (UInt, Int32, Int32) -> Int32
  let clear: @convention(c) (UInt) -> Void
  let copy: @convention(c) (UInt, UnsafePointer<UInt8>?, Int32) -> Int32
  let endCopy: @convention(c) (UInt, UInt) -> Int32
  let nextResult: @convention(c) (UInt) -> UInt

  init() throws {
    let library = try SharedLibrary("libpq.so.5")
    unsafe connect = try library.function("PQconnectdb")
    status = try library.function("PQstatus")
    unsafe errorMessage = try library.function("PQerrorMessage")
    finish = try library.function("PQfinish")
    unsafe run = try library.function("PQexec")
    unsafe prepare = try library.function("PQprepare")
    unsafe executePrepared = try library.function("PQexecPrepared")
    resultStatus = try library.function("PQresultStatus")
    rows = try library.function("PQntuples")
    length = try library.function("PQgetlength")
    clear = try library.function("PQclear")
    unsafe copy = try library.function("PQputCopyData")
    endCopy = try library.function("PQputCopyEnd")
    nextResult = try library.function("PQgetResult")
  }
}
