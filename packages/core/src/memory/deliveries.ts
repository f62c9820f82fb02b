import type { Attempt, Delivery } from '../deliveries/delivery-log.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { StampedEvent } from '../events/event.ts';
import type { EpochMs } from '../runtime/time.ts';
import { createHeap, type Heap } from './heap.ts';
import { createTable, type Table } from './table.ts';

interface Lease {
  readonly token: string;
  readonly worker: string;
  readonly until: EpochMs;
}

/** One event for one endpoint. @internal */
export interface DeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly event: StampedEvent;
  /** Its place in line among those that fall due together. */
  readonly place: number;
  readonly attempts: Attempt[];
  /** Leases that were settled: once each. */
  readonly settled: Set<string>;
  /** Attempts that count towards exhaustion: a late settlement is logged and does not. */
  counted: number;
  state: Delivery['state'];
  /** When it may be claimed; for a leased one, when its lease lapses. */
  dueAt: EpochMs;
  lease: Lease | undefined;
}

/** A row as it stood when it was put in line; stale when the row has moved on. */
interface InLine {
  readonly row: DeliveryRow;
  readonly dueAt: EpochMs;
}

const before = (a: InLine, b: InLine): boolean =>
  a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.row.place < b.row.place);

/** Rows by a key that many share. */
const createIndex = () => {
  const sets = new Map<string, Set<DeliveryRow>>();
  return {
    of: (key: string): Iterable<DeliveryRow> => sets.get(key) ?? [],
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
  /** Lines in the order of their turns: whoever was served moves to the end. */
  readonly lines: Map<string, Heap<InLine>>;
  leasedOfEndpoint(endpointId: string): Iterable<DeliveryRow>;
  leasedOfAccount(accountId: string): Iterable<DeliveryRow>;
  wait(row: DeliveryRow, dueAt: EpochMs): void;
  /** The first of a line that is due. */
  firstDue(endpointId: string, now: EpochMs): DeliveryRow | undefined;
  lease(row: DeliveryRow, lease: Lease): void;
  unlease(row: DeliveryRow): void;
  finish(row: DeliveryRow, state: 'delivered' | 'exhausted' | 'expired'): void;
  /** Where a delivery goes that is to be tried again: in line, held, or out. */
  retry(row: DeliveryRow, dueAt: EpochMs): void;
  held(endpointId: string): readonly DeliveryRow[];
  waiting(endpointId: string): readonly DeliveryRow[];
}

/** @internal */
export const memoryDeliveries = (): MemoryDeliveries => {
  const rows = createTable<DeliveryRow>();
  const endpoints = new Map<string, Endpoint>();
  const lines = new Map<string, Heap<InLine>>();
  const unfinished = createIndex();
  const leasedOfEndpoint = createIndex();
  const leasedOfAccount = createIndex();

  const queue = (row: DeliveryRow, dueAt: EpochMs): void => {
    row.dueAt = dueAt;
    const line = lines.get(row.endpointId) ?? createHeap(before);
    line.push({ row, dueAt });
    lines.set(row.endpointId, line);
  };

  const wait = (row: DeliveryRow, dueAt: EpochMs): void => {
    row.state = 'waiting';
    unfinished.add(row.endpointId, row);
    queue(row, dueAt);
  };

  const unlease = (row: DeliveryRow): void => {
    row.lease = undefined;
    leasedOfEndpoint.delete(row.endpointId, row);
    leasedOfAccount.delete(row.event.accountId, row);
  };

  const finish = (row: DeliveryRow, state: 'delivered' | 'exhausted' | 'expired'): void => {
    unlease(row);
    row.state = state;
    unfinished.delete(row.endpointId, row);
  };

  const inState = (state: Delivery['state'], endpointId: string): readonly DeliveryRow[] =>
    [...unfinished.of(endpointId)].filter((row) => row.state === state);

  return {
    rows,
    endpoints,
    lines,
    leasedOfEndpoint: leasedOfEndpoint.of,
    leasedOfAccount: leasedOfAccount.of,
    wait,
    firstDue: (endpointId, now) => {
      const line = lines.get(endpointId);
      for (let first = line?.peek(); line && first; first = line.peek()) {
        const { row, dueAt } = first;
        const stale = row.state !== 'waiting' || row.dueAt !== dueAt;
        if (!stale) return dueAt <= now ? row : undefined;
        line.pop();
      }
      lines.delete(endpointId);
      return undefined;
    },
    lease: (row, lease) => {
      row.lease = lease;
      leasedOfEndpoint.add(row.endpointId, row);
      leasedOfAccount.add(row.event.accountId, row);
      lines.get(row.endpointId)?.pop();
      queue(row, lease.until);
    },
    unlease,
    finish,
    retry: (row, dueAt) => {
      unlease(row);
      const endpoint = endpoints.get(row.endpointId);
      if (!endpoint) finish(row, 'expired');
      else if (endpoint.state === 'enabled') wait(row, dueAt);
      else {
        row.state = 'held';
        row.dueAt = dueAt;
        unfinished.add(row.endpointId, row);
      }
    },
    held: (endpointId) => inState('held', endpointId),
    waiting: (endpointId) => inState('waiting', endpointId),
  };
};
