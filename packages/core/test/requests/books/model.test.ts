import { test } from 'vitest';
import { propertyRuns } from '../../../../../tools/tests/effort.ts';
import { requestWorld } from '../world.ts';
import { assertBooksHold } from './books-model.ts';

test('whatever two hosts book at once, the sums are those of the stored transactions and of the events, and no law is broken silently', () =>
  assertBooksHold(() => requestWorld(), { ...propertyRuns(25), length: 14 }));
