import type { Plan, Step } from './row-store.ts';

/** A result that is there: its own iterator and its own last result, so that an operation creates one object. */
class Done<T> implements Step<T>, Iterator<PromiseLike<unknown>, T, unknown> {
  readonly done = true;
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
  [Symbol.iterator](): this {
    return this;
  }
  next(): IteratorReturnResult<T> {
    return this;
  }
}

/**
 * The result of an operation that returns at once.
 * @example
 * const rows = [{ id: 1 }];
 * const step = done(rows); // an operation of a store that returns at once
 * @public
 */
export const done = <T>(value: T): Step<T> => new Done(value);

/**
 * The result of an operation that returns a promise.
 * @example
 * const step = later(fetch('https://database.example')); // an operation of a store that returns a promise
 * @public
 */
export function* later<T>(promise: PromiseLike<T>): Plan<T> {
  return (yield promise) as T;
}

/** Waits for what a plan yielded. Resolves to the way to go on with it. */
export const settled = async (
  waiting: PromiseLike<unknown>,
): Promise<(plan: Plan<unknown>) => IteratorResult<unknown>> => {
  try {
    const value = await waiting;
    return (plan) => plan.next(value);
  } catch (cause) {
    return (plan) => plan.throw(cause);
  }
};

const goOn = async <T>(plan: Plan<T>, first: PromiseLike<unknown>): Promise<T> => {
  let waiting = first;
  for (;;) {
    const step = (await settled(waiting))(plan as Plan<unknown>) as IteratorResult<PromiseLike<unknown>, T>;
    if (step.done) return step.value;
    waiting = step.value;
  }
};

/**
 * Runs a plan: to its end if it yields nothing, else it returns a promise.
 * @example
 * await perform(later(Promise.resolve(1))); // 1
 * @public
 */
export const perform = <T>(plan: Plan<T>): T | Promise<T> => {
  const step = plan.next();
  return step.done ? step.value : goOn(plan, step.value);
};

/**
 * The steps of a plan, for a store that decides itself what happens where the plan waits.
 * @example
 * const steps = stepsOf(later(Promise.resolve(1)));
 * const { value } = steps.next(); // the promise
 * @public
 */
export const stepsOf = <T>(plan: Plan<T>): Iterator<PromiseLike<unknown>, T> => plan;

/**
 * Runs a plan that yields nothing.
 * @throws TypeError when it yields.
 * @example
 * const plan = function* (): Plan<number> {
 *   return 1;
 * };
 * performNow(plan()); // 1
 * @public
 */
export const performNow = <T>(plan: Plan<T>): T => {
  const step = plan.next();
  if (!step.done) throw new TypeError('A plan waits in a store that returns at once.');
  return step.value;
};
