/// The error of a source that does not answer.
struct Refusal: Error {}
