import type { EpochMs } from '../runtime/time.ts';
import type { RequestKind } from './define-kind.ts';
import { due } from './due.ts';
import type { DueChange } from './due-store.ts';
import type { RequestKindName } from './kinds/names.ts';
import type { RequestPolicies } from './policies.ts';
import type { StoredRequest } from './record.ts';

/**
 * What a command changes of what its object waits for. What was due before is due at the command: nothing is late that
 * nobody could have known.
 * @internal
 */
export const dueChanges = (
  { name: kind, definition }: { readonly name: RequestKindName; readonly definition: RequestKind },
  before: StoredRequest | undefined,
  after: StoredRequest,
  policies: RequestPolicies,
): readonly DueChange[] => {
  if (!definition.rules) return [];
  const timesOf = (record: StoredRequest) =>
    new Map(due(definition, record, policies).map(({ name, at }) => [name, at]));
  const [was, is] = [before ? timesOf(before) : new Map<string, number>(), timesOf(after)];
  const { id, accountId, environment, updatedAt } = after;
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const at = is.get(name);
    if (at === was.get(name)) return [];
    return [{ kind, id, name, accountId, environment, dueAt: at && Math.max(at, updatedAt) }];
  });
};

/**
 * All that an object waits for, planned anew, and for what it no longer waits. What was due before is due now.
 * @internal
 */
export const plannedAnew = (
  { name: kind, definition }: { readonly name: RequestKindName; readonly definition: RequestKind },
  record: StoredRequest,
  { policies, now }: { readonly policies: RequestPolicies; now(): EpochMs },
): readonly DueChange[] => {
  const { id, accountId, environment } = record;
  const times = new Map(due(definition, record, policies).map(({ name, at }) => [name, Math.max(at, now())]));
  const names = Object.keys(definition.rules ?? {});
  return names.map((name) => ({ kind, id, name, accountId, environment, dueAt: times.get(name) }));
};
