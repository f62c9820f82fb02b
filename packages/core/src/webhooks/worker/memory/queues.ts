import type { EndpointLane, LoadedDelivery } from './lane.ts';

/** What a worker knows of the queues that the store has for endpoints. */
export interface Queues {
  /** Queues to read, the one read longest ago first. */
  all(): Iterable<EndpointLane>;
  /** How often queueing started or ended: a queue read meanwhile may be outdated. */
  writes(): number;
  /** A delivery of the endpoint is being written to its queue. */
  writing(lane: EndpointLane): void;
  /** That write ended. */
  written(lane: EndpointLane): void;
  /** The store has queued deliveries of the endpoint. */
  note(lane: EndpointLane): void;
  /** A read told whether the store has queued deliveries of the endpoint. `isExact`: nothing was queued meanwhile. */
  learn(lane: EndpointLane, hasQueued: boolean, isExact: boolean): void;
  /** A read of the queue found these deliveries, at most `limit`. */
  noteRead(lane: EndpointLane, found: readonly LoadedDelivery[], limit: number, isExact: boolean): void;
  /** The queue of the endpoint is not read again. */
  forget(lane: EndpointLane): void;
}

/** Creates the memory of queues. */
export const createQueues = (): Queues => {
  const queues = new Set<EndpointLane>();
  let writes = 0;

  const note = (lane: EndpointLane): void => {
    lane.queue = 'some';
    queues.add(lane);
  };

  return {
    all: () => queues,
    writes: () => writes,
    writing: (lane) => {
      lane.queueing++;
      lane.queue = 'some';
      writes++;
    },
    written: (lane) => {
      lane.queueing--;
      writes++;
    },
    note,
    learn: (lane, hasQueued, isExact) => {
      if (hasQueued) lane.queue = 'some';
      else if (isExact && lane.queueing === 0) lane.queue = 'none';
      if (lane.queue !== 'none' && !lane.isGone) queues.add(lane);
    },
    noteRead: (lane, found, limit, isExact) => {
      // Move it to the end: queues are read round-robin.
      queues.delete(lane);
      queues.add(lane);
      const last = found.at(-1);
      if (found.length < limit && isExact && lane.queueing === 0) {
        lane.queue = 'none';
        queues.delete(lane);
      } else if (isExact && last && last.replay > 0 && last.attempts === 0) lane.queue = 'replays';
    },
    forget: (lane) => {
      queues.delete(lane);
    },
  };
};
