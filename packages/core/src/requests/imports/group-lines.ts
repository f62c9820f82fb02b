import { isObject } from '../../base/runtime/is-object.ts';
import { objectKinds, type RequestKindName } from '../record/names.ts';

/** The lines of one object. */
export interface Lines {
  /** The place of its first line, from 0. */
  readonly row: number;
  /** Its kind. `undefined`: the line is of no object. */
  readonly name: RequestKindName | undefined;
  /** The first line, as JSON. `undefined`: it cannot be JSON. */
  readonly line: unknown;
  /** Those of its history, as JSON. */
  readonly history: unknown[];
  /** Those of its transactions, as JSON. */
  readonly transactions: unknown[];
  /** Whether it has more lines than are kept. */
  isTooLong: boolean;
}

/** Maximum number of lines of one object. */
export const maxLines = 10_000;
/** What else an export has. */
const others: readonly unknown[] = ['catalogue', 'client', 'endpoint', 'alert_address', 'event', 'delivery', 'access'];

/** A copy: what the host changes afterwards has no effect. */
const asJson = (line: unknown): unknown => {
  try {
    return JSON.parse(JSON.stringify(line));
  } catch {
    return undefined;
  }
};

const fieldOf = (name: RequestKindName) => (name.endsWith('Templates') ? 'template' : 'request');
const nameOf = (line: unknown): RequestKindName | undefined => {
  if (!isObject(line)) return undefined;
  const [name] = Object.entries(objectKinds).find(([, object]) => object === line['object']) ?? [];
  return name !== undefined && line['kind'] === fieldOf(name as RequestKindName)
    ? (name as RequestKindName)
    : undefined;
};

/** Puts the lines of each object together: its history and its transactions follow it. */
export async function* groupLines(rows: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<Lines> {
  let group: Lines | undefined;
  let row = -1;
  for await (const given of rows) {
    row += 1;
    const line = asJson(given);
    const kind = isObject(line) ? line['kind'] : undefined;
    if (others.includes(kind)) continue;
    if (group && (kind === 'history' || kind === 'transaction')) {
      if (group.history.length + group.transactions.length < maxLines)
        (kind === 'history' ? group.history : group.transactions).push(line);
      else group.isTooLong = true;
      continue;
    }
    if (group) yield group;
    group = { row, name: nameOf(line), line, history: [], transactions: [], isTooLong: false };
  }
  if (group) yield group;
}
