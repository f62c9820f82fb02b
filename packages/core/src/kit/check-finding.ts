/**
 * A problem that keeps a kit from working.
 * @public
 */
export interface CheckFinding {
  /**
   * The option of `createPartnerkit` with the problem; `limiter` and `changeFeed` are in the group `shared`,
   * `clock` and `sealingKeys` in `advanced`. `worker` is a worker that was started.
   */
  readonly part:
    | 'storage'
    | 'clock'
    | 'secret'
    | 'sealingKeys'
    | 'webhooks'
    | 'accounts'
    | 'tokens'
    | 'limiter'
    | 'changeFeed'
    | 'worker';
  /**
   * - `unavailable`: the port rejected, or did not respond within 5 seconds.
   * - `not_usable`: the storage needs a step first, such as a migration.
   * - `clock_skew`: the clocks of this process and of the storage differ by more than 5 seconds.
   * - `wrong_answer`: the port returned a wrong result.
   * - `wrong_secret`: the storage is used with another secret, as by another environment.
   * - `old_secret`: the storage is used with a secret that replaced the one of this process.
   * - `missing_key`: stored endpoints are sealed with a key of no secret in `secret`, or with one that is not in
   *   `sealingKeys`; nothing can be sent to them.
   * - `missing_profile`: stored endpoints have a wire profile that is not in `webhooks.profiles`; nothing can be sent
   *   to them.
   * - `wrong_key`: a stored value does not open with the key of its id.
   * - `not_serving`: a worker of this kit was started, and delivers nothing because its storage failed.
   */
  readonly code:
    | 'unavailable'
    | 'not_usable'
    | 'clock_skew'
    | 'wrong_answer'
    | 'wrong_secret'
    | 'old_secret'
    | 'missing_key'
    | 'missing_profile'
    | 'wrong_key'
    | 'not_serving';
  /** The problem and its remedy. It quotes no message of foreign code. */
  readonly detail: string;
  /** What the port rejected with; `onError` received it too. */
  readonly cause?: unknown;
}
