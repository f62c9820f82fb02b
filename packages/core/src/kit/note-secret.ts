import type { SecretIdStore } from '../stores/storage/secret-id-store.ts';

/**
 * How the secrets of a process stand to those with which its storage was used.
 *
 * - `known`: the last one is among them.
 * - `old`: it had the storage's earlier ones only.
 * - `wrong`: it has none of them.
 */
export type SecretStanding =
  | { readonly kind: 'known' }
  | { readonly kind: 'old' | 'wrong'; readonly own: string; readonly last: string };

/** More secrets than any rotation overlaps. */
const maxIds = 20;

/**
 * Compares the secrets of a process with those of the storage, and notes the one that it uses: in a new storage, or
 * when the last one is among its own.
 */
export const noteSecret = async (store: SecretIdStore, ids: readonly string[]): Promise<SecretStanding> => {
  const [own] = ids;
  if (own === undefined) return { kind: 'known' };
  const noted = await store.readSecretIds();
  const [last] = noted;
  if (last === own) return { kind: 'known' };
  if (last !== undefined && !ids.includes(last))
    return { kind: ids.some((id) => noted.includes(id)) ? 'old' : 'wrong', own, last };
  const next = [own, ...noted.filter((id) => id !== own)].slice(0, maxIds);
  // Another process noted its own meanwhile.
  return (await store.replaceSecretIds(noted, next)) ? { kind: 'known' } : noteSecret(store, ids);
};
