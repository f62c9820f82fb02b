import { deepStrictEqual, ok } from 'node:assert';
import type { Storage } from '@partnerkit/core';
import type { BadCall } from './bad-call.ts';
import { badCalls } from './bad-calls.ts';
import { createWorld, type World } from './world.ts';

/**
 * What the suite needs of a storage and of a test runner.
 * @public
 */
export interface BadInputSuiteOptions {
  /** The runner's `test`. */
  readonly test: (name: string, run: () => Promise<void>) => void;
  /** An empty storage. */
  readonly storage: () => Promise<Storage<object>>;
}

interface Failure {
  readonly code: string;
  readonly detail?: string;
}

/** These reject; every other call answers a Result. */
const rejecting: readonly string[] = ['events.publish', 'events.publishMany'];

/** The failure that a call answered or rejected with, and all that it tells. */
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

/** That a publish was refused may be told; nothing else happened. */
const tellsMore = (told: unknown): boolean => {
  const { kind, outcome } = told as { readonly kind?: unknown; readonly outcome?: unknown };
  return !(kind === 'published' && (outcome === 'idempotency_conflict' || outcome === 'no_transaction'));
};

/** The laws of bad input: the stated answer, nothing stored and no more than the refusal signalled, and no secret and no stack in the answer. */
const assertRefused = async (world: World, { calls, code, detail }: BadCall): Promise<void> => {
  const before = await world.stored();
  const toldBefore = world.told.length;
  for (const [name, args] of Object.entries(calls)) {
    const failure = await failureOf(name, world.call(name, args(world)));
    deepStrictEqual([name, failure.code, failure.detail], [name, code, detail]);
    for (const secret of world.secrets) ok(!failure.text.includes(secret), `${name} tells a secret`);
    ok(!/(\n|\\n)\s+at /.test(failure.text), `${name} tells a stack`);
  }
  deepStrictEqual(await world.stored(), before);
  deepStrictEqual(world.told.slice(toldBefore).filter(tellsMore), []);
};

/**
 * Hands bad input to each call of a kit over a storage.
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
