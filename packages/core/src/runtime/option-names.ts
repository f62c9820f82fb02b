import { unknownName } from './did-you-mean.ts';

/**
 * Refuses option names that do not exist, as TypeScript does: a misspelt option would silently leave its default in place. For adapters.
 * @param caller - The function whose options they are.
 * @example
 * const names = { clock: true } as const;
 * assertOptionNames('myStorage', { clock: systemClock }, names);
 * @throws TypeError that names the option, and the one that was probably meant.
 * @public
 */
export const assertOptionNames = (caller: string, options: unknown, names: Readonly<Record<string, true>>): void => {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${caller}: options are an object.`);
  const unknown = unknownName('option', options, Object.keys(names));
  if (unknown !== undefined) throw new TypeError(`${caller}: ${unknown}`);
};
