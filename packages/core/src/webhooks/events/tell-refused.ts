import { err, type ResultAsync } from '#result';
import { platformAccountId } from '../../base/audit/audit-entry.ts';
import type { AuditStore } from '../../base/audit/audit-store.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import { callPort } from '../../base/runtime/call-port.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import type { ObjectDefinition } from '../catalogue/define-object.ts';
import type { PublishFailure } from './published.ts';

/** Why an event was refused. After the other failures, the transaction is none, or its state is unknown. */
const refusals: ReadonlySet<string> = new Set([
  'invalid_event',
  'too_large',
  'idempotency_conflict',
] satisfies PublishFailure['code'][]);

/** What {@link createTellRefused} takes. */
export interface TellRefusedDeps<Tx extends object> {
  readonly audit: Pick<AuditStore<Tx>, 'tell'>;
  readonly auditor: Pick<Auditor, 'entry'>;
  /** The objects of the kit. */
  readonly definitions: ReadonlyMap<string, ObjectDefinition>;
  /** Receives the error of a storage that could not write the entry. */
  readonly onUntold: (cause: unknown) => void;
}

/**
 * Writes an entry of a refused event in the host's transaction: if the host ignores the failure and commits, the audit
 * trail says that an event is missing. Resolves to the failure.
 *
 * - Each refusal has an entry of its own: a shared one would make transactions of the host wait for each other.
 * - A name that the kit does not have may be data, and is left out.
 * - An event without a valid account has an entry that no account sees.
 */
export const createTellRefused = <Tx extends object>({
  audit,
  auditor,
  definitions,
  onUntold,
}: TellRefusedDeps<Tx>) => {
  const entryOf = (event: unknown, reason: string) => {
    const { accountId, objectName, type } = Object(event) as Readonly<Record<string, unknown>>;
    const definition = typeof objectName === 'string' ? definitions.get(objectName) : undefined;
    return auditor.entry({
      accountId: isIdentifier(accountId) ? accountId : platformAccountId,
      type: 'publish.refused',
      subjectId: definition?.objectName ?? 'unknown',
      by: { type: 'host' },
      data: {
        object: definition?.objectName ?? null,
        type: definition?.eventTypes.find((each) => each === type) ?? null,
        reason,
      },
    });
  };
  return (event: unknown, tx: Tx, failure: PublishFailure): ResultAsync<never, PublishFailure> =>
    callPort(async () => {
      if (refusals.has(failure.code)) await audit.tell([entryOf(event, failure.code)], tx);
    })
      .orTee(({ cause }) => onUntold(cause))
      .mapErr(() => failure)
      .andThen(() => err(failure));
};
