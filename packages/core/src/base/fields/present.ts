/** Drops fields that are `undefined`, as JSON does. */
export const present = <T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } => {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) if (value !== undefined) found[name] = value;
  return found as { [K in keyof T]: Exclude<T[K], undefined> };
};
