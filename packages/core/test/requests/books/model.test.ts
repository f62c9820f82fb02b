import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../../tools/tests/effort.ts';
import { requestWorld } from '../world.ts';
import { assertBooksHold } from './books-hosts.ts';

test('whatever two hosts book at once, what is stored and told is what a bookkeeper wrote down, and no law is broken silently', async () => {
  const { given, accepted } = await assertBooksHold(() => requestWorld(), {
    ...propertyRuns(25),
    rounds: 40,
    endOnFailure: true,
  });
  // Some are refused; if most were, nothing was tested.
  expect(accepted).toBeGreaterThan(given / 3);
});
