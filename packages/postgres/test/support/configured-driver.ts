import type { SqlDriver, SqlRow } from '../../src/index.ts';
import { wrap } from './other-parsers.ts';

/** Some hosts have columns in camel case, others as they are named: one of two words is found under neither name. */
const rewritten = (name: string): string => (/[_A-Z]/.test(name) ? `rewritten ${name}` : name);
const parsed = (value: unknown): unknown =>
  value === null || typeof value === 'string' || typeof value === 'number' ? value : wrap(String(value));

const asConfigured = (rows: readonly SqlRow[]): readonly SqlRow[] =>
  rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [rewritten(name), parsed(value)] as const)),
  );

/** A driver that a host has configured: it rewrites columns, and parses all but text and numbers itself. */
export const configured = <Tx extends object>(driver: SqlDriver<Tx>): SqlDriver<Tx> => ({
  ...driver,
  query: async (text, values) => asConfigured(await driver.query(text, values)),
  queryIn: async (tx, text, values) => asConfigured(await driver.queryIn(tx, text, values)),
});
