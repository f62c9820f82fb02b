import type { NewAuditEntry } from '../../base/audit/audit-entry.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import type { FactSource } from '../../base/audit/fact-source.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { type DurationMs, day, type EpochMs, hour } from '../../base/runtime/time.ts';
import type { Client } from './client.ts';
import type { ClientStore } from './client-store.ts';
import type { UsageDay } from './client-usage.ts';
import { lastUseOf, unusedAfter } from './usage.ts';

/** Maximum number of clients per call. */
const pageSize = 100;
/** How many days before the end of a key an entry warns of it, the last warning first. */
const warningDays = [3, 14, 30] as const;

/** What {@link createKeyFacts} takes. */
export interface KeyFactsDeps {
  readonly clients: Pick<ClientStore, 'listAllClients' | 'readUsage'>;
  readonly auditor: Pick<Auditor, 'fact'>;
  readonly clock: Pick<Clock, 'now'>;
  /** How long entries are stored. An older fact is left out: its entry may have been written and deleted. */
  readonly entriesLast: DurationMs;
}

/** What time brought to a key. */
interface KeyFact extends Pick<NewAuditEntry, 'type' | 'data'> {
  /** When it was due. */
  readonly at: EpochMs;
  /** See `Auditor.fact`. */
  readonly marks?: readonly number[];
}

/**
 * Finds the keys that end soon, and unused ones. A key that is disabled, or has ended, has no entry. The
 * clients of all accounts are read, so it happens about once an hour; their usage only if no login rules it out.
 */
export const createKeyFacts = ({ clients, auditor, clock, entriesLast }: KeyFactsDeps): FactSource<string> => {
  const entryOf = (
    { accountId, id, createdAt }: Client,
    now: EpochMs,
    { at, marks = [], ...told }: KeyFact,
  ): readonly NewAuditEntry[] => {
    if (at > now || at < createdAt || at + entriesLast <= now) return [];
    const by = { type: 'rule', command: told.type } as const;
    return [auditor.fact(at, { accountId, subjectId: id, by, ...told }, ...marks)];
  };

  /** The warning whose time came last: a worker that comes late does not tell the others. */
  const endsSoon = (client: Client, now: EpochMs): readonly NewAuditEntry[] => {
    const { expiresAt } = client;
    if (expiresAt === undefined) return [];
    const warnsAt = warningDays.map((days) => expiresAt - days * day).find((at) => at <= now);
    if (warnsAt === undefined) return [];
    const data = { days: Math.ceil((expiresAt - now) / day), expiresAt };
    return entryOf(client, now, { at: warnsAt, type: 'secret.expires_soon', data, marks: [expiresAt] });
  };

  const unused = (client: Client, days: readonly UsageDay[], now: EpochMs): readonly NewAuditEntry[] => {
    const lastUse = lastUseOf(client, days);
    const data = { unusedSince: lastUse };
    return entryOf(client, now, { at: lastUse + unusedAfter, type: 'key.unused', data });
  };

  return {
    every: hour,
    readFacts: async (isOwn, after) => {
      const page = await clients.listAllClients({ limit: pageSize, ...(after === undefined ? {} : { after }) });
      const now = clock.now();
      const active = page.items.filter(
        ({ accountId, disabled, expiresAt }) =>
          isOwn(accountId) && !disabled && (expiresAt === undefined || expiresAt > now),
      );
      const silent = active.filter((client) => lastUseOf(client, []) + unusedAfter <= now);
      const usage = silent.length === 0 ? [] : await clients.readUsage(silent.map(({ id }) => id));
      return {
        entries: [
          ...active.flatMap((client) => endsSoon(client, now)),
          ...silent.flatMap((client) => {
            const days = usage.filter(({ clientId }) => clientId === client.id);
            return unused(client, days, now);
          }),
        ],
        next: page.next,
      };
    },
  };
};
