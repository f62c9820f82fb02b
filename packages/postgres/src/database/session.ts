import type { SqlRow } from '../drivers/driver.ts';
import { sql, value } from './statement.ts';

/** A text that a parser, a hook or another character set would change. */
const text = ' É 💶 \\ "';
const bytes = Buffer.byteLength(text);

/** The named value of `session`. */
export const sessionValues = { text } as const;

const words = value('text', 'text');

/** What storage needs of the session of a host, as columns: texts arrive as they are, and values mean what they say. */
export const session = sql`${words} as words, '17'::text as digits, ''::text as empty, octet_length(${words}) as bytes,
  current_setting('client_encoding') as encoding, current_setting('array_nulls', true) as nulls,
  current_setting('extra_float_digits') as precision,
  current_setting('transaction_read_only') as frozen`;

/** What is wrong with the session, with its remedy. */
export const sessionProblem = (row: SqlRow | undefined): string | undefined => {
  if (row?.['words'] !== text || row['digits'] !== '17' || row['empty'] !== '')
    return (
      'partnerkit: rows do not arrive as the server sends them: take parsers of the type text, and hooks that change ' +
      'rows, off the pool or library of the storage.'
    );
  if (Number(row['bytes']) !== bytes)
    return `partnerkit: client_encoding of the connections is ${row['encoding']}: set it to UTF8.`;
  if (Number(row['precision']) < 0)
    return `partnerkit: extra_float_digits of the connections is ${row['precision']}, which rounds times: set it to 0 or more.`;
  if (row['nulls'] === 'off') return 'partnerkit: array_nulls of the connections is off: set it to on.';
  return undefined;
};

/** Whether the transactions of the session write nothing. */
export const isReadOnly = (row: SqlRow | undefined): boolean => row?.['frozen'] === 'on';
