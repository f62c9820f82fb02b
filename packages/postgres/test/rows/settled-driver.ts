import type { SqlDriver } from '../../src/index.ts';

/** A driver, and when its statements are answered. */
export interface SettledDriver<Tx extends object> {
  readonly driver: SqlDriver<Tx>;
  /** Resolves once each statement is answered, or waits for a lock of a transaction that stays open. */
  settled(): Promise<void>;
}

/**
 * Counts the connections with a statement under way. `countWaiting`: how many wait for a lock; `patience`: how long no
 * answer may come before it is called, in milliseconds.
 */
export const settledDriver = <Tx extends object>(
  driver: SqlDriver<Tx>,
  countWaiting: () => Promise<number>,
  patience = 3,
): SettledDriver<Tx> => {
  /** Statements by transaction: a rollback may wait behind a statement on its connection. */
  const underWay = new Map<object, number>();
  let answers = 0;
  let wake: () => void = () => undefined;
  const enter = (on: object): void => void underWay.set(on, (underWay.get(on) ?? 0) + 1);
  const leave = (on: object): void => {
    const left = (underWay.get(on) ?? 0) - 1;
    if (left > 0) underWay.set(on, left);
    else underWay.delete(on);
    answers++;
    wake();
  };
  const during = async <T>(on: object, work: () => Promise<T>): Promise<T> => {
    enter(on);
    try {
      return await work();
    } finally {
      leave(on);
    }
  };
  const nextAnswer = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, patience);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  return {
    driver: {
      ...driver,
      query: (text, values) => during({}, () => driver.query(text, values)),
      queryIn: (tx, text, values) => during(tx, () => driver.queryIn(tx, text, values)),
      // Its begin and its end are statements; the work between them may wait for the clock.
      transaction: async (work, options) => {
        let on: object = {};
        enter(on);
        try {
          return await driver.transaction(async (tx) => {
            leave(on);
            on = tx;
            try {
              return await work(tx);
            } finally {
              enter(on);
            }
          }, options);
        } finally {
          leave(on);
        }
      },
    },
    settled: async () => {
      for (;;) {
        const before = answers;
        if (underWay.size > 0) await nextAnswer();
        await turn();
        if (underWay.size === 0) return;
        if (answers === before && (await countWaiting()) >= underWay.size && answers === before) return;
      }
    },
  };
};
