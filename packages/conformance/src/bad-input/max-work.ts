/** Maximum work that one refused request causes. The page of bad input states it, and a test asserts it. */
export const maxWork = {
  /** SHA-256 digests, each over at most the received bytes. */
  hashes: 2,
  /** Comparisons in constant time. */
  comparisons: 1,
  /** Tokens with a signature check. */
  tokenChecks: 1,
  /** `ClientStore.findClient`. */
  clientReads: 1,
  /** `ClientStore.isTokenRevoked`. */
  revocationReads: 1,
  /** `AccountDirectory.find`. */
  accountReads: 2,
  /** `RateLimiter.take`. */
  limiterCalls: 3,
  /** `ClientStore.noteRefusal`, which nobody waits for. */
  refusalNotes: 1,
  /** `ClientStore.addUsage`, at most once a minute. No call waits for it. */
  usageWrites: 1,
  /** Every other call of a storage. */
  otherCalls: 0,
} as const;
