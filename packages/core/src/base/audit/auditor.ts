import { derive } from '../crypto/derive.ts';
import { equalInConstantTime } from '../crypto/equal.ts';
import { type HmacKey, hmacKey, hmacSha256 } from '../crypto/hmac.ts';
import { sha256 } from '../crypto/sha256.ts';
import type { Clock } from '../runtime/clock.ts';
import { createIds, idOf } from '../runtime/id.ts';
import { isObject } from '../runtime/is-object.ts';
import type { Random } from '../runtime/random.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { AuditEntry, NewAuditEntry } from './audit-entry.ts';
import type { ChainPlace, LinkedEntry } from './audit-store.ts';

/** JSON with sorted names: databases may return the names of an object in another order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) =>
    isObject(each) && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

const textOf = ({ id, accountId, type, subjectId, by, requestId, data }: Omit<NewAuditEntry, 'mac'>): string =>
  canonical([id, accountId, type, subjectId, by, requestId ?? null, data]);

/** Makes entries of the audit trail, and protects them by HMAC. */
export interface Auditor {
  /** Makes an entry of something that happens now. */
  entry(of: Omit<NewAuditEntry, 'id' | 'mac'>): NewAuditEntry;
  /**
   * Makes an entry of a fact that time brought at `at`. Its id follows from time, account, type and subject, whoever
   * makes it: stores leave out a repeated one.
   * @param marks - Tell apart facts of one time and subject, such as two warnings of an end that was moved.
   */
  fact(at: EpochMs, of: Omit<NewAuditEntry, 'id' | 'mac'>, ...marks: readonly (number | string)[]): NewAuditEntry;
  /** The place of an entry after `last`. */
  place(last: ChainPlace, entry: AuditEntry): ChainPlace;
  /** Whether the entry was made with one of the keys, and not changed. */
  isGenuine(entry: AuditEntry): boolean;
  /** Whether the entry follows `last` in its chain. */
  follows(last: ChainPlace, entry: LinkedEntry): boolean;
}

/** Creates an {@link Auditor} whose keys are derived from sealing keys: the first protects, every key verifies. */
export const createAuditor = (
  sealingKeys: readonly { readonly key: Uint8Array }[],
  clock: Clock,
  random: Random,
): Auditor => {
  const keys = sealingKeys.map(({ key }) => hmacKey(derive(key, 'partnerkit audit HMAC-SHA-256 v1', 32)));
  const [current] = keys as [HmacKey];
  const newId = createIds(clock, random);
  const linkOf = (key: HmacKey, { position, link }: ChainPlace, { at, mac, ...entry }: AuditEntry): string =>
    hmacSha256(key, `link ${position + 1} ${link} ${at} ${mac} `, textOf(entry));
  const matches = (made: (key: HmacKey) => string, given: string): boolean =>
    keys.some((key) => equalInConstantTime(made(key), given));
  const protect = (entry: Omit<NewAuditEntry, 'mac'>): NewAuditEntry => ({
    ...entry,
    mac: hmacSha256(current, 'entry ', textOf(entry)),
  });
  return {
    entry: (of) => protect({ id: newId(), ...of }),
    fact: (at, of, ...marks) => {
      const named = canonical([at, of.accountId, of.type, of.subjectId, ...marks]);
      return protect({ id: idOf(at, sha256(named)), ...of });
    },
    place: (last, entry) => ({ position: last.position + 1, link: linkOf(current, last, entry) }),
    isGenuine: (entry) => matches((key) => hmacSha256(key, 'entry ', textOf(entry)), entry.mac),
    follows: (last, entry) =>
      entry.position === last.position + 1 && matches((key) => linkOf(key, last, entry), entry.link),
  };
};
