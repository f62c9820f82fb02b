import type { EpochMs } from '../runtime/time.ts';
import type { Actor } from '../signals/actor.ts';

/**
 * What happened, as the audit trail and handlers name it.
 * @public
 */
export type AuditType =
  | 'account.changed'
  | 'key.added'
  | 'key.changed'
  | 'key.deleted'
  | 'endpoint.added'
  | 'endpoint.changed'
  | 'endpoint.enabled'
  | 'endpoint.disabled'
  | 'endpoint.deleted'
  | 'endpoint.failing'
  | 'endpoint.recovered'
  | 'endpoint.disable_soon'
  | 'endpoint.silent'
  | 'delivery.exhausted'
  | 'delivery.expired'
  | 'due_command.refused'
  | 'publish.refused'
  | 'key.unused'
  | 'secret.expires_soon'
  | 'secret.rotated'
  | 'sending.paused'
  | 'sending.resumed';

/** Every type: the compiler sees that none is missing. */
const auditTypes: Readonly<Record<AuditType, true>> = {
  'account.changed': true,
  'key.added': true,
  'key.changed': true,
  'key.deleted': true,
  'endpoint.added': true,
  'endpoint.changed': true,
  'endpoint.enabled': true,
  'endpoint.disabled': true,
  'endpoint.deleted': true,
  'endpoint.failing': true,
  'endpoint.recovered': true,
  'endpoint.disable_soon': true,
  'endpoint.silent': true,
  'delivery.exhausted': true,
  'delivery.expired': true,
  'due_command.refused': true,
  'publish.refused': true,
  'key.unused': true,
  'secret.expires_soon': true,
  'secret.rotated': true,
  'sending.paused': true,
  'sending.resumed': true,
};

/** The account of entries that concern all accounts, or none: no account has this id, so no partner sees them. */
export const platformAccountId = '';

/** The object of events of operation. `createPartnerkit` refuses an object of the host with this name. */
export const operationsObject = 'Operations';

/**
 * What a handler selects to be told of operation, such as `Operations.endpoint.disabled`.
 * @public
 */
export type OperationsSelector = `Operations.${AuditType}`;

/** All {@link OperationsSelector}. */
export const operationsSelectors: readonly string[] = Object.keys(auditTypes).map(
  (type) => `${operationsObject}.${type}`,
);

/**
 * An entry of the audit trail before it is stored.
 * @public
 */
export interface NewAuditEntry {
  /** UUIDv7; later entries have larger ones. That of an entry told by time begins with the time of its fact. */
  readonly id: string;
  /** The account that it concerns; an empty text: all accounts, or none that is valid. */
  readonly accountId: string;
  /** What happened. */
  readonly type: AuditType;
  /**
   * The API key, endpoint or account that it concerns; `platform`: all accounts. Of a refused event, its object; of a
   * refused command, the id of its object.
   */
  readonly subjectId: string;
  /** Who did it. */
  readonly by: Actor;
  /** The HTTP request that did it: its `x-request-id`. Absent: none. */
  readonly requestId?: string;
  /** What changed, and why; never a secret or the body of an event. */
  readonly data: Readonly<Record<string, unknown>>;
  /** HMAC of the fields above, in Base64: without it, the entry is not of this platform. */
  readonly mac: string;
}

/**
 * An entry of the audit trail: a change of an account, API key or endpoint, or of the health of one, or a pause.
 * @public
 */
export interface AuditEntry extends NewAuditEntry {
  /** When it was stored, by the store's clock. */
  readonly at: EpochMs;
}

/**
 * The fields in which two views of an object differ, with their values before and after. Versions are left out.
 */
export const differences = (before: object, after: object): Readonly<Record<string, unknown>> => {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => name !== 'version');
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)))
      .map((name) => [name, { from: old.get(name) ?? null, to: now.get(name) ?? null }]),
  );
};
