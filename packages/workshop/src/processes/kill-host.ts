import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChildren } from '../../../conformance/src/prove/processes/children.ts';
import type { PaymentTask } from './payment-host.ts';

export interface KillHostOptions<T extends PaymentTask> {
  /** The file that runs `runPaymentHost`. */
  readonly command: string;
  readonly task: Omit<T, 'role' | 'received' | 'isLast'>;
  readonly kills: number;
  /** Called before the last process starts: lets the lease of the last worker expire. @defaultValue nothing */
  readonly beforeLast?: () => Promise<unknown>;
}

/** The books of a host that was killed. All lists but the first are empty where no law is broken. */
export interface KilledHost {
  /** Payments that it acknowledged before it was killed. */
  readonly acknowledged: readonly string[];
  /** Acknowledged ones that are not stored. A commit that was not acknowledged is no loss. */
  readonly lost: readonly string[];
  /** Stored ones whose event was not received. */
  readonly undelivered: readonly string[];
  /** Events without a payment. */
  readonly unpaid: readonly string[];
  /** Processes that ended by themselves. */
  readonly unexpected: readonly string[];
}

/** How many payments are acknowledged before a process is killed: another number each time. */
const before = (nth: number): number => 20 + 7 * nth;

/** Kills a host with `kill -9` while it publishes and delivers, lets its last process deliver, and checks its books. */
export const killHost = async <T extends PaymentTask>({
  command,
  task,
  kills,
  beforeLast,
}: KillHostOptions<T>): Promise<KilledHost> => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-host-'));
  const received = join(folder, 'received');
  writeFileSync(received, '');
  const acknowledged: string[] = [];
  let payments: readonly string[] | undefined;
  let heard = (): void => {};
  const children = openChildren<T, string | readonly string[]>({
    command,
    hear: (said) => {
      if (typeof said === 'string') acknowledged.push(said);
      else payments = said;
      heard();
    },
  });
  /** Runs one process until it has said enough, or has ended. */
  const run = async (isLast: boolean, isEnough: () => boolean): Promise<void> => {
    const enough = new Promise<void>((resolve) => {
      heard = () => isEnough() && resolve();
    });
    const host = children.start({ ...task, role: 'host', received, isLast } as unknown as T);
    await Promise.race([enough, host.ended]);
    await host.kill();
  };
  try {
    for (let nth = 0; nth < kills; nth++) {
      const wanted = acknowledged.length + before(nth);
      await run(false, () => acknowledged.length >= wanted);
    }
    await beforeLast?.();
    await run(true, () => payments !== undefined);
    const [stored, arrived] = [new Set(payments), new Set(readFileSync(received, 'utf8').split('\n').slice(0, -1))];
    return {
      acknowledged,
      lost: acknowledged.filter((id) => !stored.has(id)),
      undelivered: [...stored].filter((id) => !arrived.has(id)),
      unpaid: [...arrived].filter((id) => !stored.has(id)),
      unexpected: children.unexpected,
    };
  } finally {
    await children.killAll();
    rmSync(folder, { recursive: true, force: true });
  }
};
