import { z } from 'zod';
import { unknownName } from './did-you-mean.ts';
import { ownMembers } from './own-members.ts';

/** The required methods of a port. */
export type RequiredMethods<P> = { [K in keyof P]-?: undefined extends P[K] ? never : K }[keyof P];

/** The problem of a value in the place of a port, as the end of a sentence; `undefined` when there is none. */
const wrongPort = (value: unknown, methods: readonly string[]): string | undefined => {
  if (value === undefined || value === null) return 'is missing.';
  if (typeof value === 'function') return 'is a function: call it.';
  if (typeof value !== 'object') return `is a ${typeof value}.`;
  if ('then' in value) return 'is a promise: await it.';
  const missing = methods.find((name) => typeof (value as Readonly<Record<string, unknown>>)[name] !== 'function');
  return missing && `has no method ${missing}.`;
};

/** Schema of an implementation of a port. The type requires the name of each of its methods. */
export const portSchema = <P>(methods: Readonly<Record<RequiredMethods<P>, true>>, remedy: string) =>
  z.unknown().superRefine((value, context) => {
    const wrong = wrongPort(value, Object.keys(methods));
    if (wrong !== undefined) context.addIssue({ code: 'custom', message: `${wrong} ${remedy}`.trim() });
  });

export const functionSchema = z.unknown().refine((value) => typeof value === 'function', 'must be a function.');

export const wholeNumberSchema = (least: number) => {
  const rule = `must be a whole number from ${least}.`;
  return z.int(rule).min(least, rule);
};

/** Schema of an object with these fields and no other. */
export const exactly = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? unknownName(
            'option',
            Object.fromEntries((keys as readonly string[]).map((key) => [key, 0])),
            Object.keys(shape),
          )
        : 'must be an object.',
  });

/** `sealingKeys[0].key` */
const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1);

/** @throws TypeError that names each wrong option and its remedy. */
export const assertOptions = (caller: string, schema: z.ZodType, options: unknown): void => {
  const { error } = schema.safeParse(ownMembers(options));
  if (!error) return;
  const problems = error.issues.map(({ code, path, message }) => {
    const place = placeOf(path);
    if (code === 'unrecognized_keys') return place === '' ? message : `${place}: ${message}`;
    return place === '' ? `the options ${message}` : `the option ${place} ${message}`;
  });
  throw new TypeError(`${caller}: ${problems.join(' ')}`);
};
