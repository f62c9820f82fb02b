import { type AuditType, differences, type NewAuditEntry } from '../../base/audit/audit-entry.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import { present } from '../../base/fields/present.ts';
import type { EndpointChangeName } from '../../base/signals/change-names.ts';
import type { By } from '../../base/signals/change-options.ts';
import { type Endpoint, viewEndpoint } from './endpoint.ts';

/** What operators are told of; the name of the change says the rest. */
const types: Partial<Readonly<Record<EndpointChangeName, AuditType>>> = {
  created: 'endpoint.added',
  imported: 'endpoint.added',
  enabled: 'endpoint.enabled',
  disabled: 'endpoint.disabled',
  deleted: 'endpoint.deleted',
  secret_activated: 'secret.rotated',
};

/** Makes the entry of the audit trail of a change of an endpoint; `before`: as it was. */
export type EndpointAudit = (
  change: EndpointChangeName,
  endpoint: Endpoint,
  by: By,
  before?: Endpoint,
) => NewAuditEntry;

/** The query of a URL may hold a secret of the partner. */
const withoutQuery = (url: string): string => (url.includes('?') ? `${url.slice(0, url.indexOf('?'))}?…` : url);

/** What changed, by the whole URLs: another query is a change, too. */
const changesOf = (before: Endpoint | undefined, after: Endpoint): Readonly<Record<string, unknown>> => {
  const changes = differences(before ? viewEndpoint(before) : {}, viewEndpoint(after));
  const shown = (url: string | undefined): string | null => (url === undefined ? null : withoutQuery(url));
  return changes['url'] ? { ...changes, url: { from: shown(before?.url), to: shown(after.url) } } : changes;
};

/** Creates an {@link EndpointAudit}. */
export const endpointAudit =
  ({ entry }: Pick<Auditor, 'entry'>): EndpointAudit =>
  (change, endpoint, { actor: by, requestId }, before) => {
    const { id: subjectId, accountId } = endpoint;
    const changes = change === 'deleted' ? {} : { changes: changesOf(before, endpoint) };
    const type = types[change] ?? 'endpoint.changed';
    return entry({ accountId, type, subjectId, by, ...present({ requestId }), data: { change, ...changes } });
  };
