import type { SqlDriver } from '../../src/index.ts';

/** A driver, and when its statements are answered. */
export interface SettledDriver<Tx extends object> {
  readonly driver: SqlDriver<Tx>;
  /** Resolves once each statement is answered, or waits for a lock of a transaction that stays open. */
  settled(): Promise<void>;
}

/** How long no answer may come before the server is asked who waits for a lock. */
const patience = 3;

/** Counts the statements that are under way. `countWaiting`: how many wait for a lock. */
export const settledDriver = <Tx extends object>(
  driver: SqlDriver<Tx>,
  countWaiting: () => Promise<number>,
): SettledDriver<Tx> => {
  let underWay = 0;
  let wake: () => void = () => undefined;
  const leave = (): void => {
    underWay--;
    wake();
  };
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    underWay++;
    try {
      return await work();
    } finally {
      leave();
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
      query: (text, values) => during(() => driver.query(text, values)),
      queryIn: (tx, text, values) => during(() => driver.queryIn(tx, text, values)),
      // Its begin and its end are statements; the work between them may wait for the clock.
      transaction: (work, options) =>
        during(() =>
          driver.transaction(async (tx) => {
            leave();
            try {
              return await work(tx);
            } finally {
              underWay++;
            }
          }, options),
        ),
    },
    settled: async () => {
      for (;;) {
        const before = underWay;
        if (before > 0) await nextAnswer();
        await turn();
        if (underWay === 0) return;
        if (underWay === before && (await countWaiting()) >= underWay) return;
      }
    },
  };
};
