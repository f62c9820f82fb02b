import type { AuditStore } from '../../base/audit/audit-store.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import { type DurationMs, day, type EpochMs, hour, minute, second } from '../../base/runtime/time.ts';
import type { DueWork } from '../../webhooks/worker/due-work.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import type { ClaimedCommand, DueAccount, DueStore } from '../stores/due-store.ts';
import { due } from './due.ts';
import { findObject } from './read-objects.ts';
import { type CommandDeps, performCommand } from './run-command.ts';

/** Maximum number of commands that are given at the same time. One whose hook hangs delays no more than its place. */
const maxInFlight = 8;
/** Longer than a command takes: when its worker was killed, another gives it then. */
const lease: DurationMs = minute;
/** The pause after a claim that gave nothing. The last one repeats. */
const pauses: readonly DurationMs[] = [5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour, 6 * hour, day];
const pauseAfter = (attempts: number): DurationMs => pauses[Math.min(attempts, pauses.length) - 1] ?? day;
/** Claims of a command that no rule of this process explains: another process may have other policies. */
const maxUnexplained = 10;

/** Another command came first, and has planned anew what follows. */
const isOvertaken = ({ code }: CommandRefusal): boolean => code === 'version_mismatch' || code === 'changed_meanwhile';
/** The object, or its deposit, has ended in another way. */
const isOver = ({ code }: CommandRefusal): boolean => code === 'not_found' || code === 'wrong_state';

/** Where due commands are, and where refused ones are told. */
interface DueStores<Tx extends object> {
  readonly store: DueStore<Tx>;
  readonly audit: Pick<AuditStore<Tx>, 'tell'>;
  readonly auditor: Pick<Auditor, 'fact'>;
}

export const createDueWork = <Tx extends object>(
  deps: CommandDeps<Tx>,
  { store, audit, auditor }: DueStores<Tx>,
): DueWork => {
  const { served, policies, observe } = deps;
  const inFlight = new Set<Promise<void>>();
  let given = 0;
  /** The account whose turn came last. */
  let last: DueAccount | undefined;

  /** Writes the entry of a refused command: one, however often and by whomever it is given again. */
  const tellRefused = (claimed: ClaimedCommand, command: string, reason: string): Promise<void> => {
    const { accountId, id: subjectId, name: rule, kind } = claimed;
    // A store's clock may count fractions; an id has none.
    const dueAt = Math.floor(claimed.dueAt);
    const { object } = served[kind].kind;
    const by = { type: 'rule', command: rule } as const;
    const data = { object, command, reason, dueAt };
    return audit.tell([auditor.fact(dueAt, { accountId, type: 'due_command.refused', subjectId, by, data }, rule)]);
  };

  const give = async (claimed: ClaimedCommand, now: EpochMs): Promise<void> => {
    const { kind: name, id, attempts, dueAt } = claimed;
    const of = served[name];
    const account = { id: claimed.accountId, environment: claimed.environment };
    const found = await findObject(of, account, id);
    if (found.isErr()) return store.release(claimed);
    const next = due(of.kind, found.value, policies).find((each) => each.name === claimed.name);
    if (!next)
      return store.release(claimed, attempts < maxUnexplained ? { dueAt, pause: pauseAfter(attempts) } : undefined);
    if (next.at > now) return store.release(claimed, { dueAt: next.at, pause: next.at - now });
    const { command, input, ifVersion = found.value.version } = next;
    const signal = {
      ...({ kind: 'due_command', object: of.kind.object, rule: claimed.name, command } as const),
      ...{ accountId: account.id, objectId: id, dueAt, lateMs: now - dueAt, attempts },
    };
    const again = { dueAt, pause: pauseAfter(attempts) };
    try {
      const actor = { type: 'rule', command: claimed.name } as const;
      const result = await performCommand(deps, of, account, { id, command, input, tx: 'new', ifVersion, actor });
      if (result.isOk()) {
        given++;
        observe({ ...signal, outcome: 'given' });
        return;
      }
      const refusal = result.error;
      if (isOvertaken(refusal)) return store.release(claimed, { dueAt, pause: 0 });
      if (!isOver(refusal)) await tellRefused(claimed, command, refusal.code);
      observe({ ...signal, outcome: 'refused', code: refusal.code });
      return store.release(claimed, isOver(refusal) ? undefined : again);
    } catch (cause) {
      observe({ ...signal, outcome: 'failed' });
      await store.release(claimed, again);
      throw cause;
    }
  };

  return {
    turn: async (errors, stopped) => {
      if (inFlight.size >= maxInFlight) await Promise.race(inFlight);
      if (stopped.aborted) return false;
      const room = maxInFlight - inFlight.size;
      const taken = await store.claim(room, lease, last).catch((cause: unknown) => {
        errors.noteStorage('due', cause);
        return undefined;
      });
      if (!taken) return false;
      if (stopped.aborted) {
        const releases = taken.claimed.map((each) =>
          store
            .release(each, { dueAt: each.dueAt, pause: 0 })
            .catch((cause: unknown) => errors.noteStorage('due', cause)),
        );
        await Promise.all(releases);
        return false;
      }
      last = taken.claimed.at(-1) ?? last;
      for (const each of taken.claimed) {
        const giving = give(each, taken.now)
          .catch((cause: unknown) => errors.note('due', cause))
          .finally(() => inFlight.delete(giving));
        inFlight.add(giving);
      }
      return taken.claimed.length === room;
    },
    idle: async () => {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
    given: () => given,
  };
};
