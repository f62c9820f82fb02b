/** 1973 as seconds, 2 January 1970 as milliseconds. Below are small numbers, such as 0 for the beginning. */
const firstSeconds = 100_000_000;
/** 1973 as milliseconds, the year 5138 as seconds. */
const firstMilliseconds = 100_000_000_000;

/** What is wrong with a time in milliseconds since 1970, or with one that is plainly in seconds. */
export const timeProblem = (at: unknown): string | undefined => {
  if (!(Number.isSafeInteger(at) && (at as number) >= 0)) return 'milliseconds since 1970, a whole number.';
  const isSeconds = (at as number) >= firstSeconds && (at as number) < firstMilliseconds;
  return isSeconds ? 'milliseconds since 1970; this is a time in seconds: multiply it by 1000.' : undefined;
};
