import type { RequestKind } from '../kinds/define-kind.ts';
import type { RequestKindName } from '../record/names.ts';
import type { RequestPolicies } from '../record/policies.ts';
import type { StoredRequest } from '../record/record.ts';
import type { DueChange } from '../stores/due-store.ts';
import { type Due, due } from './due.ts';

const duesOf = (definition: RequestKind, record: StoredRequest, policies: RequestPolicies): ReadonlyMap<string, Due> =>
  new Map(due(definition, record, policies).map((each) => [each.name, each]));

const changeOf = (
  kind: RequestKindName,
  { id, accountId, environment }: StoredRequest,
  name: string,
  planned: Due | undefined,
): DueChange => ({
  ...{ kind, id, name, accountId, environment },
  dueAt: planned?.at,
  isReminder: planned?.isReminder ?? false,
});

/** What a command changes of what its object waits for. */
export const dueChanges = (
  { name: kind, definition }: { readonly name: RequestKindName; readonly definition: RequestKind },
  before: StoredRequest | undefined,
  after: StoredRequest,
  policies: RequestPolicies,
): readonly DueChange[] => {
  if (!definition.rules) return [];
  const was = before ? duesOf(definition, before, policies) : new Map<string, Due>();
  const is = duesOf(definition, after, policies);
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names
    .filter((name) => is.get(name)?.at !== was.get(name)?.at)
    .map((name) => changeOf(kind, after, name, is.get(name)));
};

/** All that an object waits for, planned anew, and for what it no longer waits. */
export const plannedAnew = (
  { name: kind, definition }: { readonly name: RequestKindName; readonly definition: RequestKind },
  record: StoredRequest,
  { policies }: { readonly policies: RequestPolicies },
): readonly DueChange[] => {
  const dues = duesOf(definition, record, policies);
  return Object.keys(definition.rules ?? {}).map((name) => changeOf(kind, record, name, dues.get(name)));
};
