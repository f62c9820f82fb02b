import type { DurationMs } from '@partnerkit/core';

/** Maximum delay of `setTimeout`. */
const maxDelay: DurationMs = 2 ** 31 - 1;

/**
 * An entry of a circular list. A removed entry is linked to itself: garbage that refers to later entries makes V8
 * retain them until its next full collection. The old tables of a busy Map or Set do so too.
 */
interface Links {
  previous: Links;
  next: Links;
}

export interface Timeout extends Links {
  readonly due: DurationMs;
  readonly expire: () => void;
}

const remove = (entry: Links): void => {
  entry.previous.next = entry.next;
  entry.next.previous = entry.previous;
  entry.previous = entry;
  entry.next = entry;
};

const listHead = (): Links => {
  const head = {} as Links;
  head.previous = head;
  head.next = head;
  return head;
};

/**
 * Timeouts that share one timer for each duration: timeouts of the same duration expire in the order in which they were
 * set. The timers do not keep the process alive; the socket of a request does.
 */
export const createTimeouts = () => {
  // By duration. A list that is empty when its timer fires is dropped, so that unused durations cost nothing.
  const lists = new Map<DurationMs, Links>();

  const arm = (duration: DurationMs, list: Links, delay: DurationMs): void => {
    setTimeout(sweep, Math.min(delay, maxDelay), duration, list).unref();
  };
  const sweep = (duration: DurationMs, list: Links): void => {
    while (list.next !== list) {
      const first = list.next as Timeout;
      const left = first.due - performance.now();
      if (left > 0) {
        arm(duration, list, left);
        return;
      }
      remove(first);
      first.expire();
    }
    lists.delete(duration);
  };
  const create = (duration: DurationMs): Links => {
    const list = listHead();
    lists.set(duration, list);
    arm(duration, list, duration);
    return list;
  };

  return {
    /** Calls `expire` after `duration` milliseconds. */
    set: (duration: DurationMs, expire: () => void): Timeout => {
      const list = lists.get(duration) ?? create(duration);
      const timeout = { due: performance.now() + duration, expire, previous: list.previous, next: list };
      list.previous.next = timeout;
      list.previous = timeout;
      return timeout;
    },
    /** Clears a timeout. Does nothing when it has expired or was cleared. */
    clear: (timeout: Timeout): void => remove(timeout),
  };
};

export type Timeouts = ReturnType<typeof createTimeouts>;
