import type { HealthSnapshot } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { breakPort, type Double } from '../support/doubles.ts';

type Breaks = Double<StorageFixture>['breaks'];
const broken = breakPort('log');

const ofWorkers = 'health names each worker with its shards and the rest of its lease, also once it has expired';
const inTurns = 'lists of failing, disabled and late endpoints take turns, and name none twice';
const longest = 'the worst endpoints fail longest, of all accounts, with their failures and pause';
const atMost = 'at most ten endpoints are named; their deliveries are counted up to the limit';

const misread = (how: string, breaks: Breaks, change: (snapshot: HealthSnapshot) => HealthSnapshot) =>
  broken(how, breaks, ({ readHealthSnapshot }) => ({
    readHealthSnapshot: async () => change(await readHealthSnapshot()),
  }));

const ofEndpoints = (
  how: string,
  breaks: Breaks,
  change: (endpoints: HealthSnapshot['endpoints']) => HealthSnapshot['endpoints'],
) => misread(how, breaks, (snapshot) => ({ ...snapshot, endpoints: change(snapshot.endpoints) }));

/** Logs that read the health of the store wrongly. */
export const brokenHealth: readonly Double<StorageFixture>[] = [
  misread(
    'shards of an expired worker count as owned',
    ['the health of a new store: nothing waits or fails, and no shard has a worker', ofWorkers],
    (snapshot) => ({ ...snapshot, freeShards: 0 }),
  ),
  misread('expired workers are left out', [ofWorkers], (snapshot) => ({
    ...snapshot,
    workers: snapshot.workers.filter(({ leaseLeft }) => leaseLeft > 0),
  })),
  misread(
    'the oldest event is as old as the newest',
    ['health states the age of the oldest event that is not dispatched, of all accounts'],
    ({ oldestUndispatched, ...snapshot }) => ({
      ...snapshot,
      ...(oldestUndispatched === undefined ? {} : { oldestUndispatched: 0 }),
    }),
  ),
  ofEndpoints('the endpoint that fails for the shortest time comes first', [longest, inTurns, atMost], (endpoints) =>
    endpoints.toReversed(),
  ),
  ofEndpoints('pauses are not told', [longest], (endpoints) =>
    endpoints.map(({ pausedUntil: _until, ...each }) => each),
  ),
  ofEndpoints('a disabled endpoint is as an enabled one', [inTurns], (endpoints) =>
    endpoints.map(({ disabledBy: _by, ...each }) => each),
  ),
  ofEndpoints('deliveries are counted beyond the limit', [atMost], (endpoints) =>
    endpoints.map((each) => ({ ...each, unfinished: each.unfinished + (each.unfinished < 1_000 ? 0 : 1) })),
  ),
  broken(
    'reading the health deletes expired workers',
    ['health changes nothing: an expired worker keeps its row', ofWorkers],
    ({ readHealthSnapshot }, { storage }) => ({
      readHealthSnapshot: async () => {
        await storage.shards.join('reads', 1);
        const snapshot = await readHealthSnapshot();
        await storage.shards.leave('reads');
        return snapshot;
      },
    }),
  ),
];
