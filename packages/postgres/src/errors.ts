/** What to do about an error of the server, by its SQLSTATE. */
const remedies: Readonly<Record<string, string>> = {
  '25006':
    'this transaction or server is read-only: publish in a read-write transaction, and connect workers to the primary',
  '25P02': 'this transaction was aborted by an earlier statement of yours: roll it back',
  '3F000': 'the schema is not there: run `npx @partnerkit/postgres migrate`',
  '42501':
    'the database user lacks a privilege: grant usage on the schema, and select, insert, update and delete on its tables',
  '42703': 'the tables are of another version: run `npx @partnerkit/postgres migrate`',
  '42P01': 'a table is not there: run `npx @partnerkit/postgres migrate`',
};

/** An error of the server, with what to do about it where that is known. @internal */
export const explained = (cause: unknown): unknown => {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  const remedy = Object.hasOwn(remedies, code) ? remedies[code] : undefined;
  return remedy === undefined
    ? cause
    : Object.assign(new Error(`partnerkit: ${remedy} (${code}).`, { cause }), { code });
};
