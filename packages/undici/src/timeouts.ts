import type { DurationMs } from '@partnerkit/core';

/** The longest delay that `setTimeout` takes. */
const maxDelay: DurationMs = 2 ** 31 - 1;

/**
 * An entry of a circular list. One that is in no list is linked to itself: garbage that refers to later entries makes
 * V8 keep all of them until its next full collection. The tables that a busy Map or Set leaves behind do so too.
 */
interface Links {
  previous: Links;
  next: Links;
}

/** @internal */
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
 * Timeouts with one timer for all of the same duration, instead of one each: they expire in the order in which they were
 * set. The timers do not keep the process alive; the socket of a request does.
 * @internal
 */
export const createTimeouts = () => {
  // For each duration. A list that is empty when its timer fires is dropped, so that durations may vary.
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
    /** Calls `expire` once `duration` has passed. */
    set: (duration: DurationMs, expire: () => void): Timeout => {
      const list = lists.get(duration) ?? create(duration);
      const timeout = { due: performance.now() + duration, expire, previous: list.previous, next: list };
      list.previous.next = timeout;
      list.previous = timeout;
      return timeout;
    },
    /** Does nothing when it expired or was cleared already. */
    clear: (timeout: Timeout): void => remove(timeout),
  };
};

/** @internal */
export type Timeouts = ReturnType<typeof createTimeouts>;
