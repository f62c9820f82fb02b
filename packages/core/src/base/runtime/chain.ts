import { isThenable } from './brand.ts';

/** A value that is at hand, or comes later. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value: in the same turn when it is at hand. Each promise of a hot path costs a turn. */
export const chain = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  isThenable(value) ? Promise.resolve(value).then(next) : next(value);
