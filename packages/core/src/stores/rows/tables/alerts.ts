import { table, text } from '../port/table.ts';

/** The addresses that accounts named for alerts. */
export const alertAddresses = table({
  name: 'alert_addresses',
  columns: { accountId: text(), address: text() },
  key: ['accountId'],
  indexes: {},
});
