/** @throws TypeError when the name of a schema is malformed. */
export const assertSchema = (schema: string): void => {
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema))
    throw new TypeError('schema: 1 to 48 lower-case letters, digits and "_", not beginning with a digit.');
};
