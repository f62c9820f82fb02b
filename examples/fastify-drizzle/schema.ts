import { pgTable, text } from 'drizzle-orm/pg-core';

export const accounts = pgTable('accounts', { id: text().primaryKey(), name: text().notNull() });

export const payments = pgTable('payments', {
  id: text().primaryKey(),
  accountId: text('account_id')
    .notNull()
    .references(() => accounts.id),
  status: text().notNull(),
  /** It is stored here, and never sent: no group names it. */
  iban: text(),
});
