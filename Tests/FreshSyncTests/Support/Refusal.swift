/// What a source throws that does not answer.
struct Refusal: Error {}
