import { describe, expect, test } from 'vitest';
import type { CursorStore } from '../src/follow.ts';
import { type PartnerClientOptions, unwrap } from '../src/index.ts';
import { afterLogin, organisationId, payment, platform } from './support/platform.ts';

const list = '/api/v1/partner/organisations/{organisationId}/payment-requests';

/** A platform with a pull endpoint, and its client. */
const world = async (options: Partial<PartnerClientOptions> = {}, intercept?: Parameters<typeof platform>[1]) => {
  const made = await platform(options, intercept);
  const { kit, client } = made;
  const input = { kind: 'pull', events: ['RequestPayment.creation'] } as const;
  const { endpoint } = (await kit.endpoints.create(organisationId, input))._unsafeUnwrap();
  const worker = kit.worker();
  const params = { path: { organisationId } };
  const publish = async (count: number): Promise<readonly string[]> => {
    const objects: string[] = [];
    for (let nth = 0; nth < count; nth++) objects.push((await unwrap(client.POST(list, { params, body: payment }))).id);
    await worker.drain();
    return objects;
  };
  return { ...made, publish, of: { organisationId, endpointId: endpoint.id } };
};

const objectOf = ({ body }: { readonly body: string }): string => JSON.parse(body).data.id;

/** A database of a partner: its ledger and its cursor change together, or not at all. */
const database = () => {
  const state: { ledger: readonly string[]; cursor: string | undefined } = { ledger: [], cursor: undefined };
  const store: CursorStore<string[]> = {
    read: async () => state.cursor,
    advance: async (from, to, work) => {
      if (state.cursor !== from) return false;
      const added: string[] = [];
      await work(added);
      if (state.cursor !== from) return false;
      Object.assign(state, { ledger: [...state.ledger, ...added], cursor: to });
      return true;
    },
  };
  return { state, store };
};

describe('events', () => {
  test('come in order, with the cursor at the end of each page', async () => {
    const { client, publish, of } = await world();
    const objects = await publish(5);
    const [seen, cursors]: [string[], (string | undefined)[]] = [[], []];
    for await (const event of client.events({ ...of, limit: 2 })) {
      seen.push(objectOf(event));
      cursors.push(event.next);
      if (seen.length === 5) break;
    }
    expect(seen).toEqual(objects);
    expect(cursors.map((cursor) => cursor !== undefined)).toEqual([false, true, false, true, true]);
    const [, second] = cursors;
    for await (const event of client.events({ ...of, after: second })) {
      expect(objectOf(event)).toBe(objects[2]);
      break;
    }
  });

  test('are waited for, in requests that end before the time-out of the client', async () => {
    const waits: (string | null)[] = [];
    const note = afterLogin(({ url, method }) => {
      if (method === 'GET') waits.push(new URL(url).searchParams.get('wait'));
      return undefined;
    });
    for (const timeout of [30_000, 12_000, 3_000]) {
      const { client, publish, of } = await world({ timeout }, note);
      await publish(1);
      for await (const _event of client.events(of)) break;
    }
    expect(waits).toEqual(['25', '7', '0']);
  });

  test('of a cursor that the platform does not have are refused, with the place to go on', async () => {
    const [one, other] = [await world(), await world()];
    await one.publish(1);
    let next: string | undefined;
    for await (const event of one.client.events(one.of)) {
      next = event.next;
      break;
    }
    const foreign = other.client.events({ ...other.of, after: next });
    await expect(foreign.next()).rejects.toMatchObject({ status: 400, code: 'invalid_cursor' });
  });

  test('end without an error when the program stops', async () => {
    const { client, publish, of } = await world();
    const objects = await publish(1);
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const event of client.events({ ...of, signal: stop.signal })) {
      seen.push(objectOf(event));
      stop.abort();
    }
    expect(seen).toEqual(objects);
  });
});

describe('follow', () => {
  test('stores each effect once, though handlers fail and copies of the program race', async () => {
    const { client, publish, of } = await world();
    const objects = await publish(20);
    const { state, store } = database();
    const stop = new AbortController();
    const errors: unknown[] = [];
    let calls = 0;
    const copy = () =>
      client.follow({
        ...{ ...of, limit: 3, signal: stop.signal, store },
        onError: (cause) => errors.push(cause),
        handle: async (event, tx: string[]) => {
          if (++calls % 7 === 0) throw new Error('on purpose');
          await new Promise((resolve) => setImmediate(resolve));
          tx.push(objectOf(event));
        },
      });
    const copies = [copy(), copy(), copy()];
    while (state.ledger.length < objects.length) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await Promise.all(copies);
    expect(state.ledger).toEqual(objects);
    expect(errors.length).toBeGreaterThan(0);
  });

  test('pauses longer after each error, and not after a page that was handled', async () => {
    const { client, publish, clock, of } = await world();
    const objects = await publish(1);
    const { state, store } = database();
    const stop = new AbortController();
    let calls = 0;
    await client.follow({
      ...{ ...of, signal: stop.signal, store },
      handle: (event, tx: string[]) => {
        // An error of another API is not the platform's.
        if (++calls < 9) throw Object.assign(new Error('on purpose'), { status: 404 });
        tx.push(objectOf(event));
        stop.abort();
      },
    });
    expect(clock.sleeps).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000));
    expect(state.ledger).toEqual(objects);
  });

  test('rejects when the platform refuses: no repetition would help', async () => {
    const { client, of } = await world();
    const { store } = database();
    const followed = client.follow({ ...of, endpointId: 'none', store, handle: () => undefined });
    await expect(followed).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('reports a store that never replaces its cursor', async () => {
    const { client, publish, of } = await world();
    await publish(1);
    const store: CursorStore<object> = { read: async () => undefined, advance: async () => false };
    const errors: unknown[] = [];
    const stop = new AbortController();
    const onError = (cause: unknown): void => {
      errors.push(cause);
      stop.abort();
    };
    await client.follow({ ...of, store, handle: () => undefined, onError, signal: stop.signal });
    expect(String(errors[0])).toContain('store.advance resolves to false');
  });
});
