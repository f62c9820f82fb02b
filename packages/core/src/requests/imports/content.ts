import { sha256 } from '../../base/crypto/sha256.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import type { Brought } from './read-object.ts';

/** JSON whose fields are in one order: databases may store them in another. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
};

/** What an import decides of an object, as a digest. */
export const contentOf = ({ record, history, transactions }: Omit<Brought, 'name'>): string => {
  const { importedAt: _here, ...imported } = record;
  const byId = transactions.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return sha256(JSON.stringify(sorted([imported, history, byId])));
};
