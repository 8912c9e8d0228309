// Empty: the main function is libFuzzer's, and an executable of Swift sources would have to bring
// one of its own.
