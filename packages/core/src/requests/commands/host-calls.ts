import type { Clock } from '../../base/runtime/clock.ts';
import { createPortLimit, isPortTimeout } from '../../base/runtime/port-limit.ts';
import type { DurationMs } from '../../base/runtime/time.ts';
import { giveUp } from './transact.ts';

/** The functions of the host that a command calls while its transaction is open. */
export interface HostCalls {
  /**
   * Calls one inside `tx`, or inside none. A call that does not answer in time rejects with `PortTimeout`. Its `signal`
   * aborts, and `tx` is given up, even if another function of the host swallows the error.
   */
  call<T>(
    name: 'onCommand' | 'newId' | 'paymentUrl' | 'returnOrigins' | 'evidenceUpload',
    tx: object | undefined,
    run: (signal: AbortSignal) => Promise<T> | T,
  ): Promise<T>;
}

export const createHostCalls = (clock: Clock, timeout: DurationMs): HostCalls => {
  const limit = createPortLimit(clock, timeout);
  return {
    call: async (name, tx, run) => {
      const given = new AbortController();
      try {
        return await limit.call(name, tx ? 'inTransaction' : 'read', () => run(given.signal));
      } catch (cause) {
        if (isPortTimeout(cause)) {
          given.abort(cause);
          if (tx) giveUp(tx, cause);
        }
        throw cause;
      }
    },
  };
};
