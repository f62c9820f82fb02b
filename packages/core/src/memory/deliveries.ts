import type { Health } from '../deliveries/breaker.ts';
import type { Attempt, Delivery } from '../deliveries/delivery-log.ts';
import type { ExpiredBecause } from '../deliveries/explain.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { StampedEvent } from '../events/event.ts';
import type { Clock } from '../runtime/clock.ts';
import type { EpochMs } from '../runtime/time.ts';
import { type EndpointHistory, endpointHistory } from './endpoint-history.ts';
import { createHeap, type Heap } from './heap.ts';
import { createTable, type Table } from './table.ts';

interface Lease {
  readonly token: string;
  readonly worker: string;
  readonly until: EpochMs;
}

/** Where a delivery stood in line when it was leased. */
type Stood = Pick<DeliveryRow, 'dueAt' | 'replayed'>;

/** One event for one endpoint. @internal */
export interface DeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly event: StampedEvent;
  /** Its place in line among those that fall due together. */
  readonly place: number;
  /** Replaced, not added to: an array that grows takes room for seventeen. */
  attempts: readonly Attempt[];
  /** Leases that were settled: once each. */
  settled: readonly string[];
  /** Attempts that count towards exhaustion: a late settlement is logged and does not. */
  counted: number;
  state: Delivery['state'];
  /** When it may be claimed; for a leased one, when its lease lapses. */
  dueAt: EpochMs;
  /** Since when it is held, or finished. */
  since: EpochMs;
  lease: (Lease & Stood) | undefined;
  /** It comes after all others of its endpoint, until it is attempted. */
  replayed: boolean;
  /** Why it expired, once it has. */
  why: ExpiredBecause;
}

/** A row as it stood when it was put in line; stale when the row has moved on. */
interface InLine {
  readonly row: DeliveryRow;
  readonly dueAt: EpochMs;
}

const before = (a: InLine, b: InLine): boolean =>
  a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.row.place < b.row.place);

/** Whether `a` is the better probe: it has more attempts behind it, or comes before. */
const probesBetter = (a: DeliveryRow, b: DeliveryRow | undefined): boolean =>
  !b ||
  (a.counted === b.counted && b.replayed && !a.replayed) ||
  a.counted > b.counted ||
  (a.counted === b.counted &&
    a.replayed === b.replayed &&
    before({ row: a, dueAt: a.dueAt }, { row: b, dueAt: b.dueAt }));

/** Rows by a key that many share. */
const createIndex = () => {
  const sets = new Map<string, Set<DeliveryRow>>();
  return {
    of: (key: string): Iterable<DeliveryRow> => sets.get(key) ?? [],
    size: (key: string): number => sets.get(key)?.size ?? 0,
    add: (key: string, row: DeliveryRow): void => {
      const set = sets.get(key);
      if (set) set.add(row);
      else sets.set(key, new Set([row]));
    },
    delete: (key: string, row: DeliveryRow): void => {
      const set = sets.get(key);
      set?.delete(row);
      if (set?.size === 0) sets.delete(key);
    },
  };
};

/** Deliveries, and one line of waiting ones for each endpoint. @internal */
export interface MemoryDeliveries {
  readonly rows: Table<DeliveryRow>;
  readonly endpoints: Map<string, Endpoint>;
  /** Of enabled endpoints that fail. */
  readonly health: Map<string, Health>;
  /** What was known of endpoints. */
  readonly history: EndpointHistory;
  /** Lines in the order of their turns: whoever was served moves to the end. */
  readonly lines: Map<string, Heap<InLine>>;
  /** A new one, which is nowhere yet. */
  add(id: string, event: StampedEvent, endpointId: string): DeliveryRow;
  leasedOfEndpoint(endpointId: string): Iterable<DeliveryRow>;
  leasedOfAccount(accountId: string): Iterable<DeliveryRow>;
  wait(row: DeliveryRow, dueAt: EpochMs): void;
  /** The first of a line that is due. */
  firstDue(endpointId: string, now: EpochMs): DeliveryRow | undefined;
  /** The one that is due and has most attempts behind it. */
  probe(endpointId: string, now: EpochMs): DeliveryRow | undefined;
  lease(row: DeliveryRow, lease: Lease): void;
  /** Puts a leased one back where it stood: it was not attempted. */
  release(row: DeliveryRow): void;
  unlease(row: DeliveryRow): void;
  finish(row: DeliveryRow, state: 'delivered' | 'exhausted' | 'expired'): void;
  /** Where a delivery goes that is to be tried again: in line, held, or out. */
  retry(row: DeliveryRow, dueAt: EpochMs): void;
  hold(row: DeliveryRow): void;
  held(endpointId: string): readonly DeliveryRow[];
  waiting(endpointId: string): readonly DeliveryRow[];
  /** How many wait or are held, counted to `most`. */
  unfinished(endpointId: string, most: number): number;
}

/** @internal */
export const memoryDeliveries = (clock: Clock): MemoryDeliveries => {
  const rows = createTable<DeliveryRow>();
  const endpoints = new Map<string, Endpoint>();
  const health = new Map<string, Health>();
  const lines = new Map<string, Heap<InLine>>();
  const replayed = createIndex();
  const unfinished = createIndex();
  const leasedOfEndpoint = createIndex();
  const leasedOfAccount = createIndex();
  let places = 0;

  const lineOf = (endpointId: string): Heap<InLine> => {
    const known = lines.get(endpointId);
    if (known) return known;
    const line = createHeap(before);
    lines.set(endpointId, line);
    return line;
  };

  const queue = (row: DeliveryRow, dueAt: EpochMs): void => {
    row.dueAt = dueAt;
    lineOf(row.endpointId).push({ row, dueAt });
  };

  const wait = (row: DeliveryRow, dueAt: EpochMs): void => {
    row.state = 'waiting';
    unfinished.add(row.endpointId, row);
    if (row.replayed) {
      replayed.add(row.endpointId, row);
      lineOf(row.endpointId);
    } else queue(row, dueAt);
  };

  const firstReplayed = (endpointId: string): DeliveryRow | undefined => {
    for (const row of replayed.of(endpointId)) {
      if (row.replayed && row.state === 'waiting') return row;
      replayed.delete(endpointId, row);
    }
    return undefined;
  };

  const hold = (row: DeliveryRow): void => {
    row.state = 'held';
    row.since = clock.now();
    unfinished.add(row.endpointId, row);
  };

  const unlease = (row: DeliveryRow): void => {
    if (!row.lease) return;
    row.lease = undefined;
    leasedOfEndpoint.delete(row.endpointId, row);
    leasedOfAccount.delete(row.event.accountId, row);
  };

  const finish = (row: DeliveryRow, state: 'delivered' | 'exhausted' | 'expired'): void => {
    unlease(row);
    row.state = state;
    row.since = clock.now();
    unfinished.delete(row.endpointId, row);
  };

  const retry = (row: DeliveryRow, dueAt: EpochMs): void => {
    unlease(row);
    const endpoint = endpoints.get(row.endpointId);
    if (!endpoint) finish(row, 'expired');
    else if (endpoint.state === 'enabled') wait(row, dueAt);
    else {
      row.dueAt = dueAt;
      hold(row);
    }
  };

  const inState = (state: Delivery['state'], endpointId: string): readonly DeliveryRow[] =>
    [...unfinished.of(endpointId)].filter((row) => row.state === state);

  return {
    rows,
    endpoints,
    health,
    history: endpointHistory(clock),
    lines,
    add: (id, event, endpointId) => {
      const now = clock.now();
      const row: DeliveryRow = {
        id,
        endpointId,
        event,
        place: places++,
        attempts: [],
        settled: [],
        counted: 0,
        state: 'waiting',
        dueAt: now,
        since: now,
        lease: undefined,
        replayed: false,
        why: 'endpoint_deleted',
      };
      rows.insert(id, row);
      return row;
    },
    leasedOfEndpoint: leasedOfEndpoint.of,
    leasedOfAccount: leasedOfAccount.of,
    wait,
    firstDue: (endpointId, now) => {
      const line = lines.get(endpointId);
      for (let first = line?.peek(); line && first; first = line.peek()) {
        const { row, dueAt } = first;
        const stale = row.state !== 'waiting' || row.dueAt !== dueAt;
        if (!stale) return dueAt <= now ? row : firstReplayed(endpointId);
        line.pop();
      }
      const last = firstReplayed(endpointId);
      if (!last) lines.delete(endpointId);
      return last;
    },
    probe: (endpointId, now) => {
      let best: DeliveryRow | undefined;
      for (const row of unfinished.of(endpointId))
        if (row.state === 'waiting' && !row.lease && row.dueAt <= now && probesBetter(row, best)) best = row;
      return best;
    },
    lease: (row, lease) => {
      row.lease = { ...lease, dueAt: row.dueAt, replayed: row.replayed };
      row.replayed = false;
      leasedOfEndpoint.add(row.endpointId, row);
      leasedOfAccount.add(row.event.accountId, row);
      queue(row, lease.until);
    },
    release: (row) => {
      if (!row.lease) return;
      row.dueAt = row.lease.dueAt;
      row.replayed = row.lease.replayed;
      retry(row, row.dueAt);
    },
    unlease,
    finish,
    retry,
    hold,
    held: (endpointId) => inState('held', endpointId),
    waiting: (endpointId) => inState('waiting', endpointId),
    unfinished: (endpointId, most) => Math.min(unfinished.size(endpointId), most),
  };
};
