type Remedies = Readonly<Record<string, string>>;

const pooler =
  'a transaction pooler is between, which changes the connection behind prepared statements: ' +
  'make the driver with { prepare: false, listen: false }, as in fromPg(pool, { prepare: false, listen: false })';

/** The remedy for an error of the server, by SQLSTATE. */
const remedies: Remedies = {
  '25006': 'this transaction or server is read-only: use read-write transactions, on the primary',
  '25P02': 'this transaction was aborted by an error before: roll it back, or back to a savepoint, and try again',
  '26000': pooler,
  '3F000': 'the schema is not there: run `npx @partnerkit/postgres migrate`',
  '42501':
    'the database user lacks a privilege: grant usage on the schema, and select, insert, update and delete on its tables',
  '42703': 'the tables are of another version: run `npx @partnerkit/postgres migrate`',
  '42883': 'a function is not there: run `npx @partnerkit/postgres migrate`',
  '42P01': 'a table is not there: run `npx @partnerkit/postgres migrate`',
  '42P05': pooler,
};

const migrationRemedies: Remedies = {
  '25006': 'this database or server is read-only: migrate on the primary, as a user whose transactions are read-write',
  '42501':
    'the database user may not migrate: it needs create on the database (on the schema, if there is one), and to own what earlier steps made',
  '42723': 'the schema holds a function of that name that partnerkit did not make: choose another schema',
  '42939': 'PostgreSQL keeps names that begin with "pg_" to itself: choose another schema',
  '42P07': 'the schema holds a table of that name that partnerkit did not make: choose another schema',
};

const explainedBy =
  (known: Remedies) =>
  (cause: unknown): unknown => {
    const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
    const remedy = Object.hasOwn(known, code) ? known[code] : undefined;
    return remedy === undefined
      ? cause
      : Object.assign(new Error(`partnerkit: ${remedy} (${code}).`, { cause }), { code });
  };

/** An error of the server with its remedy, where one is known. */
export const explained = explainedBy(remedies);

/** {@link explained} for migrations. */
export const explainedMigration = explainedBy(migrationRemedies);

const rowRemedies: Remedies = {
  ...remedies,
  ...Object.fromEntries(
    ['3F000', '42703', '42P01'].map((code) => [
      code,
      'the tables of the rows are not there, or are of another version: call `migrateRows`',
    ]),
  ),
};

/** {@link explained} for storage over rows. */
export const explainedRows = explainedBy(rowRemedies);
