/**
 * Rewrites statements from the schema `partnerkit`, with locks and channels named `'partnerkit:…'`, to another schema.
 * @internal
 */
export const inSchema = (schema: string): ((text: string) => string) => {
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema))
    throw new TypeError('schema: 1 to 48 lower-case letters, digits and "_", not beginning with a digit.');
  return (text) => text.replaceAll('partnerkit.', `"${schema}".`).replaceAll("'partnerkit:", `'${schema}:`);
};
