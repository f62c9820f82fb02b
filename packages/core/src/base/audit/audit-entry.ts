import type { EpochMs } from '../runtime/time.ts';
import type { Actor } from '../signals/actor.ts';

/**
 * What happened, as the audit trail and handlers name it.
 * @public
 */
export type AuditType =
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
  | 'secret.rotated';

/** Every type. */
const auditTypes = Object.keys({
  ...{ 'key.added': 0, 'key.changed': 0, 'key.deleted': 0 },
  ...{ 'endpoint.added': 0, 'endpoint.changed': 0, 'endpoint.enabled': 0, 'endpoint.disabled': 0 },
  ...{ 'endpoint.deleted': 0, 'endpoint.failing': 0, 'endpoint.recovered': 0, 'secret.rotated': 0 },
} satisfies Record<AuditType, 0>) as AuditType[];

/** The object of operational events. No object of a host has this name. */
export const operationsObject = 'Operations';

/**
 * What a handler selects to be told of operation, such as `Operations.endpoint.disabled`.
 * @public
 */
export type OperationsSelector = `Operations.${AuditType}`;

/** All {@link OperationsSelector}. */
export const operationsSelectors: readonly OperationsSelector[] = auditTypes.map(
  (type): OperationsSelector => `${operationsObject}.${type}`,
);

/**
 * An entry of the audit trail before it is stored.
 * @public
 */
export interface NewAuditEntry {
  /** UUIDv7; later entries have larger ones. */
  readonly id: string;
  /** The account that it concerns. */
  readonly accountId: string;
  /** What happened. */
  readonly type: AuditType;
  /** The API key or endpoint that it concerns. */
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
 * An entry of the audit trail: a change of an API key or endpoint, or of the health of one.
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
