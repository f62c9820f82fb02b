import { byShape } from './by-shape.ts';
import type { Columns, Constants } from './statement.ts';

/**
 * Statements for items most of which have the same values in some columns. A column in which all items have its usual
 * value is a constant of the statement: binding an array costs the server more than storing the value.
 */
export const byUsual = <I, T>(
  columns: Columns<I>,
  usual: Constants,
  write: (constants: Constants) => T,
): ((items: readonly I[]) => T) => {
  const names = Object.keys(usual);
  const written = byShape((unusual: readonly string[]) =>
    write(Object.fromEntries(Object.entries(usual).filter(([name]) => !unusual.includes(name)))),
  );
  return (items) => written(names.filter((name) => items.some((item) => columns[name]?.[1](item) !== usual[name])));
};
