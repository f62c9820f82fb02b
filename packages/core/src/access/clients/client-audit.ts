import { type AuditType, differences, type NewAuditEntry } from '../../base/audit/audit-entry.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import { present } from '../../base/fields/present.ts';
import type { ClientChangeName } from '../../base/signals/change-names.ts';
import type { By } from '../../base/signals/change-options.ts';
import { type Client, viewClient } from './client.ts';

/** What operators are told of; the name of the change says the rest. */
const types: Partial<Readonly<Record<ClientChangeName, AuditType>>> = {
  created: 'key.added',
  imported: 'key.added',
  deleted: 'key.deleted',
};

/** Makes the entry of the audit trail of a change of a client; `before`: as it was. */
export type ClientAudit = (
  change: ClientChangeName,
  client: Client | Pick<Client, 'id' | 'accountId'>,
  by: By,
  before?: Client,
) => NewAuditEntry;

/** What an entry shows of a client: no digest, and nothing that logins write. */
const shown = (client: Client): object => {
  const { lastRefusal: _login, secrets, ...view } = viewClient(client);
  return { ...view, secrets: secrets.map(({ lastUsedAt: _used, ...secret }) => secret) };
};

/** Creates a {@link ClientAudit}. */
export const clientAudit =
  ({ entry }: Pick<Auditor, 'entry'>): ClientAudit =>
  (change, client, { actor: by, requestId }, before) => {
    const { id: subjectId, accountId } = client;
    const type = types[change] ?? 'key.changed';
    const changes =
      change === 'deleted' || !('secrets' in client)
        ? {}
        : { changes: differences(before ? shown(before) : {}, shown(client)) };
    return entry({ accountId, type, subjectId, by, ...present({ requestId }), data: { change, ...changes } });
  };
