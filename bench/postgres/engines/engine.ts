import type { Receiver } from '../receiver.ts';

/** The input of every engine. */
export interface EngineInput {
  readonly database: string;
  readonly redis: string;
  readonly receiver: Receiver;
}

/** A delivery engine in a separate process. */
export interface Engine {
  /** Stores `count` events; nothing starts before `drain`. */
  fill(count: number): Promise<void>;
  /** Delivers the stored events, and resolves to deliveries per second. */
  drain(count: number): Promise<number>;
  /** Starts a worker for events that are published later, possibly by another process. */
  start(): Promise<void>;
  /** Publishes one event, and resolves to the time of the start. */
  publish(): Promise<number>;
}

/**
 * Counts POSTs. The rate is measured from the end of the first tenth, which excludes the start, until the outcome of
 * the last one is stored.
 */
export const meter = (count: number) => {
  const warm = Math.ceil(count / 10);
  let [sent, stored, since] = [0, 0, 0];
  let finish: (rate: number) => void;
  const rate = new Promise<number>((resolve) => {
    finish = resolve;
  });
  return {
    sent: (): void => {
      if (++sent === warm) since = performance.now();
    },
    stored: (more: number): void => {
      stored += more;
      if (stored >= count) finish(((count - warm) / (performance.now() - since)) * 1_000);
    },
    rate,
  };
};

/** Counts outcomes outside a measurement. */
export const idleMeter = meter(Number.POSITIVE_INFINITY);
