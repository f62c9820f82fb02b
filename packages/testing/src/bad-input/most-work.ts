/** The most that one refused request makes a platform do: stated on the page of bad input, and held by a test. @internal */
export const mostWork = {
  /** SHA-256, each over what was sent at most. */
  hashes: 2,
  /** Comparisons in constant time. */
  comparisons: 1,
  /** Tokens whose signature is checked. */
  tokenChecks: 1,
  /** `ClientStore.findClient`. */
  clientReads: 1,
  /** `ClientStore.isTokenRevoked`. */
  revocationReads: 1,
  /** `AccountDirectory.find`. */
  accountReads: 2,
  /** `RateLimiter.take`. */
  limiterCalls: 3,
  /** Everything else that a storage can be asked. */
  otherCalls: 0,
} as const;
