/**
 * Checks a count or a duration of an option.
 * @throws TypeError that names the option.
 * @example
 * assertPositiveInteger('poolStorage: pollMs', 50);
 * @public
 */
export const assertPositiveInteger = (name: string, value: unknown): void => {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw new TypeError(`${name} must be a whole number from 1.`);
};
