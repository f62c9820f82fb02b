import type { Clock } from '../runtime/clock.ts';
import { createPortLimit } from '../runtime/port-limit.ts';
import type { DurationMs } from '../runtime/time.ts';

/** The functions of the host that a command calls while its transaction is open. @internal */
export interface HostCalls {
  /** Calls one. A call that does not answer in time rejects with `PortTimeout`, and its `signal` aborts. */
  call<T>(name: 'onCommand' | 'newId' | 'paymentUrl', run: (signal: AbortSignal) => Promise<T> | T): Promise<T>;
}

/** @internal */
export const createHostCalls = (clock: Clock, timeout: DurationMs): HostCalls => {
  const limit = createPortLimit(clock, timeout);
  return {
    call: async (name, run) => {
      const given = new AbortController();
      try {
        return await limit.call(name, 'inTransaction', () => run(given.signal));
      } catch (cause) {
        given.abort(cause);
        throw cause;
      }
    },
  };
};
