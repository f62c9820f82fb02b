import { createPool, type Pool, type TypeCastField } from 'mysql2';

/** A cast of values, as hosts configure it. */
export type Cast = (field: TypeCastField, next: () => unknown) => unknown;

/** Makes texts of all values: of those in binary columns, in another character set. */
export const everyString: Cast = (field) => field.string();

/** Parses what MariaDB calls JSON, which is a long text. */
export const parsedJson: Cast = (field, next) => {
  if (field.type !== 'BLOB' || field.length !== 4_294_967_295) return next();
  const text = field.string();
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return text;
  }
};

/** A pool of a host, whose connections have these settings. */
export const configuredPool = (uri: string, options: object, ...settings: readonly string[]): Pool => {
  const pool = createPool({ uri, connectionLimit: 20, ...options });
  pool.on('connection', (connection) => {
    for (const setting of settings) connection.query(`set session ${setting}`);
  });
  return pool;
};

/** Every form that a pool of mysql2 can give rows. */
export const otherForms = { typeCast: everyString, rowsAsArray: true, nestTables: true };
