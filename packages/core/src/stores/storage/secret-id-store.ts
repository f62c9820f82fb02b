/**
 * Port: the ids of the platform's secrets, the last one in use first. An id discloses nothing of its secret.
 * @public
 */
export interface SecretIdStore {
  /** Reads the ids; empty in a new storage. */
  readSecretIds(): Promise<readonly string[]>;
  /**
   * Stores `next` if the stored ids equal `previous`, in their order; returns whether it did.
   *
   * - Exactly one of N simultaneous calls with the same `previous` returns `true`, if each has another `next`.
   */
  replaceSecretIds(previous: readonly string[], next: readonly string[]): Promise<boolean>;
}
