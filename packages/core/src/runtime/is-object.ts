/** Whether a value is an object of JSON: neither a list nor `null`. @internal */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
