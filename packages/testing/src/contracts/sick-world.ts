import { deepStrictEqual } from 'node:assert';
import { breakerPauses, day, type EndpointTurn, failuresToOpen, type SendOutcome } from '@partnerkit/core';
import { slack } from './store-time.ts';
import type { World } from './world.ts';

/** How long an endpoint is paused: at first, after a probe that failed, and after each one more. @internal */
export const [firstPause = 0, secondPause = 0, longestPause = 0] = breakerPauses;
/** Out of the way: whatever a case claims later is another delivery. @internal */
export const muchLater = { retryIn: 30 * day };

/** Lets so many attempts fail at once, and tells how the endpoint turned. @internal */
export const fail = async (world: World, count: number, outcome?: SendOutcome): Promise<readonly EndpointTurn[]> =>
  world.settle(await world.claim({ limit: count }), muchLater, outcome);

/** Our endpoint, just paused for the first time, with so many deliveries that are due. @internal */
export const paused = async (world: World, waiting: number): Promise<void> => {
  await world.deliver(failuresToOpen + waiting);
  deepStrictEqual(
    (await fail(world, failuresToOpen)).map(({ kind }) => kind),
    ['endpoint_failing'],
  );
};

/** Our endpoint, half-open for the first time. @internal */
export const halfOpen = async (world: World, waiting: number): Promise<void> => {
  await paused(world, waiting);
  await world.elapse(firstPause);
};

/** Asserts that nothing is leased for so long; then it may be. @internal */
export const assertPausedFor = async (world: World, pause: number): Promise<void> => {
  await world.elapse(pause - slack);
  deepStrictEqual(await world.claim(), []);
  await world.elapse(slack);
};
