import { expect, test } from 'vitest';
import * as requests from '../src/requests.ts';

test('golden: what is exported, and nothing else', () => {
  expect(Object.keys(requests).toSorted()).toEqual([
    'CommandRejection',
    'createRequests',
    'extendRequestObjects',
    'idempotentHandler',
    'requestMachines',
    'requestObjects',
  ]);
});
