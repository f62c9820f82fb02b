import { deepStrictEqual, ok } from 'node:assert';
import type { Storage } from '@partnerkit/core/adapter';
import type { BadCall } from './bad-call.ts';
import { badCalls } from './bad-calls.ts';
import { createWorld, type World } from './world.ts';

/**
 * Options of {@link badInputSuite}.
 * @public
 */
export interface BadInputSuiteOptions {
  /** The `test` function of the runner. */
  readonly test: (name: string, run: () => Promise<void>) => void;
  /** Creates an empty storage. */
  readonly storage: () => Promise<Storage<object>>;
}

interface Failure {
  readonly code: string;
  readonly message?: string;
}

/** These calls reject; every other call returns a Result. */
const rejecting: readonly string[] = ['events.publish', 'events.publishMany'];

/** The failure that a call returned or rejected with, and its text. */
const failureOf = async (name: string, answer: PromiseLike<unknown>): Promise<Failure & { readonly text: string }> => {
  try {
    const result = (await answer) as { readonly error?: Failure };
    return { ...(result.error ?? { code: 'none' }), text: JSON.stringify(result) };
  } catch (thrown) {
    const { failure } = thrown as { readonly failure?: Failure };
    if (!failure || !rejecting.includes(name)) throw thrown;
    return { ...failure, text: `${thrown} ${JSON.stringify(failure)}` };
  }
};

/** A refused publish may be signalled; nothing else may happen. */
const isUnexpected = (signal: unknown): boolean => {
  const { kind, outcome } = signal as { readonly kind?: unknown; readonly outcome?: unknown };
  return !(kind === 'published' && (outcome === 'idempotency_conflict' || outcome === 'no_transaction'));
};

/** The records after the last case: nothing else changes them. */
const lastStored = new WeakMap<World, unknown>();

/**
 * Asserts the stated failure, that nothing was stored, that no other signal was emitted, and that the failure has no
 * secret and no stack.
 */
const assertRefused = async (world: World, { calls, code, detail }: BadCall): Promise<void> => {
  const before = lastStored.get(world) ?? (await world.stored());
  lastStored.delete(world);
  const observedBefore = world.observed.length;
  for (const [name, args] of Object.entries(calls)) {
    const failure = await failureOf(name, world.call(name, args(world)));
    // Most codes say everything: their message is always the same.
    deepStrictEqual([name, failure.code, failure.message], [name, code, detail ?? failure.message]);
    ok(failure.message, `${name}: a message for the log`);
    for (const secret of world.secrets) ok(!failure.text.includes(secret), `${name} reveals a secret`);
    ok(!/(\n|\\n)\s+at /.test(failure.text), `${name} reveals a stack`);
  }
  const after = await world.stored();
  lastStored.set(world, after);
  deepStrictEqual(after, before);
  deepStrictEqual(world.observed.slice(observedBefore).filter(isUnexpected), []);
};

/**
 * Calls every function of a kit with bad input, over a storage.
 * @example
 * badInputSuite({ test, storage: async () => memoryStorage() });
 * @public
 */
export const badInputSuite = ({ test, storage }: BadInputSuiteOptions): void => {
  let made: Promise<World> | undefined;
  for (const bad of badCalls) {
    test(`${bad.group}: ${bad.input}`, async () => {
      made ??= storage().then(createWorld);
      await assertRefused(await made, bad);
    });
  }
};
