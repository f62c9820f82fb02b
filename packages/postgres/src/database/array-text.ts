import type { SqlValue } from '../drivers/driver.ts';

/** Escapes that only JSON knows: control characters and lone surrogates. */
const jsonOnly = /\\[^"\\]/;

const elementText = (value: SqlValue): string =>
  typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);

/**
 * An array literal. Drivers write arrays differently, or not at all. JSON escapes the same way in most cases, and
 * faster.
 */
export const arrayText = (values: readonly SqlValue[]): string => {
  const json = JSON.stringify(values);
  return `{${jsonOnly.test(json) ? values.map(elementText).join(',') : json.slice(1, -1)}}`;
};
