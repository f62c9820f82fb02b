import type { Storage } from '@partnerkit/core';
import type { Prng } from './prng.ts';
import type { Process } from './scheduler.ts';

/** A failure of the infrastructure, made up. */
class SimulatedFault extends Error {
  override readonly name = 'SimulatedFault';
}

/** Lets a call of a process through, in its turn. @internal */
export type Gate = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * A gate with a step before the call and one after it: a process may die before the effect, or after it and before it
 * learns of it. So may a connection, which is what `faults` (a probability) is for.
 * @internal
 */
export const createGate =
  (process: Process, prng: Prng, faults: () => number): Gate =>
  async (call) => {
    await process.step();
    if (prng.chance(faults())) throw new SimulatedFault('The connection was lost before the call.');
    const value = await call();
    await process.step();
    if (prng.chance(faults())) throw new SimulatedFault('The connection was lost after the call.');
    return value;
  };

type Method = (...values: readonly unknown[]) => Promise<unknown>;

/** Every method of a port behind the gate. */
const gatePort = <P extends object>(port: P, gate: Gate): P =>
  Object.fromEntries(
    Object.entries(port as Record<string, Method>).map(([name, method]) => [
      name,
      (...values: readonly unknown[]) => gate(() => method(...values)),
    ]),
  ) as P;

/** Storage as one process sees it. Its transactions roll back when it dies. @internal */
export const gateStorage = <Tx extends object>(
  storage: Storage<Tx>,
  process: Process,
  gate: Gate,
  prng: Prng,
): Storage<Tx> => ({
  clients: gatePort(storage.clients, gate),
  endpoints: gatePort(storage.endpoints, gate),
  events: gatePort(storage.events, gate),
  queue: {
    ...gatePort(storage.queue, gate),
    // Word of a commit comes late, or never.
    watch: (onDue) =>
      gate(() =>
        storage.queue.watch(() => {
          if (!prng.chance(0.2)) process.step().then(onDue, () => undefined);
        }),
      ),
  },
  log: gatePort(storage.log, gate),
  referrals: gatePort(storage.referrals, gate),
  transaction: (work) => gate(() => storage.transaction((tx) => Promise.race([work(tx), process.death]))),
});
