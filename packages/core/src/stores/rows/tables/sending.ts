import type { Actor } from '../../../base/signals/actor.ts';
import { json, number, type RowOf, table, text } from '../port/table.ts';

/** Pauses of sending. An empty text stands for all accounts, and for all endpoints of the account. */
export const sendingPauses = table({
  name: 'sending_pauses',
  columns: { accountId: text(), endpointId: text(), since: number(), by: json<Actor>() },
  key: ['accountId', 'endpointId'],
  indexes: { all: { columns: ['accountId', 'endpointId'] } },
});

export type SendingPauseRow = RowOf<typeof sendingPauses>;
