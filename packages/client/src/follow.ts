import type { EventPage, EventsOptions, PulledEvent, ReadEvents } from './events.ts';
import type { ClientClock } from './wait.ts';

/**
 * Where a program keeps its cursor: in its own database, beside what it makes of events.
 * @public
 */
export interface CursorStore<Tx> {
  /** Reads the cursor; `undefined`: there is none yet. */
  read(): Promise<string | undefined>;
  /**
   * Runs `work` in a transaction that replaces the cursor: `from` by `to`. Compares and sets in one statement, first;
   * when the stored cursor is not `from`, does not run `work`, and resolves to `false`. Otherwise resolves to `true`
   * once the transaction is committed. Rejects, and stores nothing, when `work` does.
   */
  advance(from: string | undefined, to: string, work: (tx: Tx) => Promise<void>): Promise<boolean>;
}

/**
 * What to follow.
 * @public
 */
export interface FollowOptions<Tx> extends Omit<EventsOptions, 'after'> {
  readonly store: CursorStore<Tx>;
  /** Handles one event in the transaction of its page. When it rejects, the page is rolled back and repeated. */
  readonly handle: (event: Omit<PulledEvent, 'next'>, tx: Tx) => Promise<void> | void;
  /** Receives each error after which the page is repeated. @defaultValue none */
  readonly onError?: (cause: unknown) => void;
}

const [firstPause, longestPause] = [1_000, 60_000];

/** Whether the platform refuses a page however often it is asked for: a `PartnerApiError`, but for 429 and 5xx. */
const isFinal = (cause: unknown): boolean => {
  const { status } = Object(cause) as { readonly status?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 429;
};

/** Handles events as they come, each effect once. */
export const createFollow =
  (read: ReadEvents, clock: ClientClock) =>
  async <Tx>({ store, handle, onError = () => undefined, ...options }: FollowOptions<Tx>): Promise<void> => {
    const signal = options.signal ?? new AbortController().signal;
    /** Whether a page was refused; errors of the handler and of the store are none of the platform's. */
    let isRefused = false;
    const readPage = async (from: string | undefined): Promise<EventPage> => {
      try {
        return await read(options, from);
      } catch (cause) {
        isRefused = isFinal(cause);
        throw cause;
      }
    };
    /** The cursor that another copy of the program had replaced. */
    let replaced: { readonly from: string | undefined } | undefined;
    const takePage = async (): Promise<void> => {
      const from = await store.read();
      if (replaced && replaced.from === from)
        throw new TypeError('follow: store.advance resolves to false, but store.read still has the same cursor.');
      const { items, next } = await readPage(from);
      if (next === from) return;
      const isFirst = await store.advance(from, next, async (tx) => {
        for (const event of items) await handle(event, tx);
      });
      replaced = isFirst ? undefined : { from };
    };
    for (let pause = firstPause; !signal.aborted; ) {
      try {
        await takePage();
        pause = firstPause;
      } catch (cause) {
        if (signal.aborted) return;
        if (isRefused) throw cause;
        onError(cause);
        await clock.sleep(pause, signal).catch(() => undefined);
        pause = Math.min(2 * pause, longestPause);
      }
    }
  };
