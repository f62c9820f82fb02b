import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { accountIds, openKit } from '../../../conformance/src/prove/processes/platform.ts';
import { memorySender } from '../../../core/src/memory.ts';

/** A host whose payments are in the database of its storage. */
export interface PayingHost<Tx extends object> {
  /** A worker runs over each; publishers use the first. */
  readonly storages: readonly Parameters<typeof openKit<Tx>>[0][];
  /** Inserts a payment and publishes its event in one transaction. Rejects unless the commit was confirmed. */
  readonly pay: (id: string, publish: (tx: Tx) => Promise<unknown>) => Promise<void>;
  /** The ids of all payments. */
  readonly payments: () => Promise<readonly string[]>;
}

/** What was found after something happened under load. */
export interface Books {
  /** Payments whose commit was confirmed. */
  readonly acknowledged: number;
  /** Acknowledged payments that are gone. */
  readonly lost: number;
  /** Events that were sent, and whose payment is not stored. */
  readonly withoutPayment: number;
  /** Stored payments whose event was not sent. */
  readonly undelivered: number;
  /** POSTs of an event that was sent already, with the same bytes. */
  readonly repeated: number;
  /** Events that were sent with two timestamps. */
  readonly otherTimestamp: number;
  /** Longest time between two acknowledged payments. */
  readonly longestPauseMs: number;
  /** Codes of what publishers met, and how often. */
  readonly errors: Readonly<Record<string, number>>;
}

const publishers = 4;
/** How long the rest may take to arrive, in milliseconds. */
const longestRest = 180_000;

/** The code of the innermost cause. */
const codeOf = (cause: unknown): string => {
  const { cause: inner, code, name } = Object(cause) as { cause?: unknown; code?: unknown; name?: unknown };
  return inner === undefined ? String(code ?? name) : codeOf(inner);
};

/** Publishers at work. */
export interface Paying {
  /** Payments that were acknowledged so far. */
  readonly acknowledged: ReadonlySet<string>;
  /** Resolves once so many more payments are acknowledged. */
  more(count: number): Promise<void>;
  /** Longest time between two acknowledged payments since the last call, in milliseconds. */
  pauseMs(): number;
}

/** Pays in a number of loops, without a pause. */
const startPaying = (pay: (id: string, accountId: string) => Promise<void>) => {
  const acknowledged = new Set<string>();
  const errors: Record<string, number> = {};
  let [isOver, longest, recent, last] = [false, 0, 0, performance.now()];
  const payOnce = async (): Promise<void> => {
    const id = randomUUID();
    try {
      await pay(id, accountIds[acknowledged.size % accountIds.length] as string);
    } catch (cause) {
      const code = codeOf(cause);
      errors[code] = (errors[code] ?? 0) + 1;
      await after(50);
      return;
    }
    acknowledged.add(id);
    recent = Math.max(recent, performance.now() - last);
    longest = Math.max(longest, recent);
    last = performance.now();
  };
  const loops = Array.from({ length: publishers }, async () => {
    while (!isOver) await payOnce();
  });
  return {
    acknowledged,
    errors,
    longestPauseMs: () => Math.round(longest),
    pauseMs: (): number => {
      const pause = Math.round(recent);
      recent = 0;
      return pause;
    },
    more: async (count: number): Promise<void> => {
      const enough = acknowledged.size + count;
      while (acknowledged.size < enough) await after(20);
    },
    stop: async (): Promise<void> => {
      isOver = true;
      await Promise.all(loops);
    },
  };
};

/**
 * Pays and delivers while something happens, until payments are acknowledged again, and checks the books. `calm`: how
 * long publishers go on before and after it, in milliseconds.
 */
export const payDuring = async <Tx extends object>(
  { storages, pay, payments }: PayingHost<Tx>,
  happen: (paying: Paying) => Promise<void>,
  calm = 3_000,
): Promise<Books> => {
  const sent = new Map<string, string[]>();
  const sender = memorySender(({ body }) => {
    const { id } = (JSON.parse(body) as { data: { id: string } }).data;
    sent.set(id, [...(sent.get(id) ?? []), body]);
    return { kind: 'answered', status: 200, body: '', durationMs: 1 };
  });
  const [first, ...others] = storages.map((storage) => openKit(storage, sender));
  if (first === undefined) throw new TypeError('A host has a storage.');
  for (const accountId of accountIds) {
    const url = `https://partner.example/${accountId}`;
    (await first.endpoints.create(accountId, { url, events: ['payed'] }))._unsafeUnwrap();
  }
  const workers = [first, ...others].map((kit) => kit.worker());
  for (const worker of workers) worker.start();
  const paying = startPaying((id, accountId) =>
    pay(id, (tx) =>
      first.events.publish({ accountId, objectName: 'RequestPayment', type: 'payed', data: { id, n: 0 } }, { tx }),
    ),
  );
  try {
    await after(calm);
    await happen(paying);
    await paying.more(2 * publishers);
    await after(calm);
  } catch (cause) {
    await Promise.all(workers.map((worker) => worker.stop()));
    throw cause;
  } finally {
    await paying.stop();
  }
  const stored = new Set(await payments());
  const undelivered = (): number => [...stored].filter((id) => !sent.has(id)).length;
  for (const since = performance.now(); undelivered() > 0 && performance.now() - since < longestRest; ) await after(50);
  await Promise.all(workers.map((worker) => worker.stop()));
  const versions = [...sent.values()].map((bodies) => new Set(bodies).size);
  return {
    acknowledged: paying.acknowledged.size,
    lost: [...paying.acknowledged].filter((id) => !stored.has(id)).length,
    withoutPayment: [...sent.keys()].filter((id) => !stored.has(id)).length,
    undelivered: undelivered(),
    repeated: [...sent.values()].reduce((all, { length }, nth) => all + length - (versions[nth] ?? 0), 0),
    otherTimestamp: versions.filter((count) => count > 1).length,
    longestPauseMs: paying.longestPauseMs(),
    errors: paying.errors,
  };
};
