import type { AuditEntry } from '../../../base/audit/audit-entry.ts';
import { present } from '../../../base/fields/present.ts';
import type { AuditRow } from '../tables/audit.ts';

/** An entry as it is read. */
export const entryOf = ({
  shard: _of,
  state: _in,
  position: _at,
  link: _to,
  requestId,
  ...entry
}: AuditRow): AuditEntry => ({ ...entry, ...present({ requestId }) });
