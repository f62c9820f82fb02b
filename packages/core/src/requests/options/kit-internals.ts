import type { ServeAccount } from '../../api/partner/account-route.ts';
import type { AccountDirectory } from '../../base/accounts/account.ts';
import type { ListChildren } from '../../base/accounts/list-children.ts';
import type { AuditStore } from '../../base/audit/audit-store.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import type { Random } from '../../base/runtime/random.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { Transactions } from '../../base/transactions/transactions.ts';
import type { PairTable } from '../../webhooks/catalogue/pairs.ts';
import type { PublishWith } from '../../webhooks/events/publish.ts';
import type { DueWork } from '../../webhooks/worker/due-work.ts';
import type { RequestStores } from '../stores/stores.ts';

/** What code on top of a kit needs of it, and hosts do not. */
export interface KitInternals<Tx extends object> {
  /** Transactions and the stores of requests, whose calls end in time. */
  readonly storage: Transactions<Tx> & {
    /** The stores of requests. */
    readonly requests: RequestStores<Tx>;
    /** The audit trail. */
    readonly audit: Pick<AuditStore<Tx>, 'tell'>;
  };
  /** The events that its objects have. */
  readonly catalogue: PairTable;
  /** The directory of accounts, whose calls end in time. */
  readonly accounts: AccountDirectory;
  /** Lists the children that an account can access. `undefined`: the directory lists none. */
  readonly listChildren: ListChildren | undefined;
  /** Serves an operation below an account. */
  readonly serveAccount: ServeAccount;
  /** The kit's own `events.publishMany`, and what stores events together with an object. */
  readonly publishing: { readonly publishMany: unknown; readonly publishWith: PublishWith };
  /** Receives signals. */
  readonly observe: Observer;
  /** Makes entries of the audit trail. */
  readonly auditor: Pick<Auditor, 'fact'>;
  /** What the workers of the kit give by rule. */
  readonly dueWork: Set<DueWork>;
  /** Source of time. */
  readonly clock: Clock;
  /** Source of random bytes. */
  readonly random: Random;
}

/**
 * Hosts hand over the kit, and must not see this. A `WeakMap` or a `Symbol()` of the module would be another one in
 * each copy: a process may load core as `import` and as `require`, and every entry is a bundle of its own.
 */
const key = Symbol.for('@partnerkit/core/internals');

/** The kit with its internals; a copy by spread has them too. */
export const withInternals = <K extends object, Tx extends object>(kit: K, internals: KitInternals<Tx>): K => ({
  ...kit,
  [key]: internals,
});

/** The internals of a kit; `undefined` for an object that `createPartnerkit` did not make. */
export const findInternals = <Tx extends object>(kit: unknown): KitInternals<Tx> | undefined =>
  typeof kit === 'object' && kit !== null ? (kit as { readonly [key]?: KitInternals<Tx> })[key] : undefined;

/** The internals of a kit. @throws TypeError when `createPartnerkit` did not make it. */
export const internalsOf = <Tx extends object>(caller: string, kit: unknown): KitInternals<Tx> => {
  const internals = findInternals<Tx>(kit);
  if (!internals) throw new TypeError(`${caller}: this is no kit. Hand over what createPartnerkit returned.`);
  return internals;
};
