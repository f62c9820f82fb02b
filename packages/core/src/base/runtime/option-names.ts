import { unknownName } from './did-you-mean.ts';

/**
 * Refuses unknown option names, as TypeScript does: a misspelt option would silently keep its default. For adapters.
 * @param caller - The function that takes the options.
 * @example
 * const names = { clock: true } as const;
 * assertOptionNames('myStorage', { clock: systemClock }, names);
 * @throws TypeError that names the option and the closest known name.
 * @public
 */
export const assertOptionNames = (caller: string, options: unknown, names: Readonly<Record<string, true>>): void => {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${caller}: options are an object.`);
  const unknown = unknownName('option', options, Object.keys(names));
  if (unknown !== undefined) throw new TypeError(`${caller}: ${unknown}`);
};
