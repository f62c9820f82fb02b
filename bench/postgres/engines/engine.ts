import type { Receiver } from '../receiver.ts';

/** What every engine is given. */
export interface EngineInput {
  readonly database: string;
  readonly redis: string;
  readonly receiver: Receiver;
}

/** A way to deliver, in a process of its own. */
export interface Engine {
  /** Stores so many; nothing is begun before `drain`. */
  fill(count: number): Promise<void>;
  /** Delivers what was stored, and resolves to deliveries per second. */
  drain(count: number): Promise<number>;
  /** Starts a worker that waits for what is published, perhaps by another process. */
  start(): Promise<void>;
  /** Publishes one, and resolves to when that began. */
  publish(): Promise<number>;
}

/**
 * Counts POSTs. Its rate is that from the end of the first tenth, so that nobody's start is measured, until what became of the last one
 * is stored.
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

/** Counts what is over when nobody measures. */
export const idleMeter = meter(Number.POSITIVE_INFINITY);
