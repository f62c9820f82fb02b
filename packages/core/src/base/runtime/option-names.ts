import { unknownName } from './did-you-mean.ts';

/** What the value of an option is: `true` leaves it to its reader. @public */
export type OptionKind = true | 'boolean' | 'function';

const kinds = { boolean: 'true or false', function: 'a function' } as const;

/**
 * Refuses unknown option names, as TypeScript does: a misspelt option would silently keep its default. Refuses values
 * of another kind, too. For adapters with few options; `assertOptions` has rules for more.
 * @param caller - The function that takes the options.
 * @example
 * const names = { clock: true, announce: 'boolean' } as const;
 * assertOptionNames('myStorage', { clock: systemClock }, names);
 * @throws TypeError that names the option, and the closest known name or what to pass.
 * @public
 */
export const assertOptionNames = (
  caller: string,
  options: unknown,
  names: Readonly<Record<string, OptionKind>>,
): void => {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${caller}: options are an object.`);
  const unknown = unknownName('option', options, Object.keys(names));
  if (unknown !== undefined) throw new TypeError(`${caller}: ${unknown}`);
  for (const [name, kind] of Object.entries(names)) {
    const value: unknown = (options as Readonly<Record<string, unknown>>)[name];
    if (kind !== true && value !== undefined && typeof value !== kind)
      throw new TypeError(`${caller}: the option ${name} must be ${kinds[kind]}.`);
  }
};
