import { describe, expect, it } from 'vitest';
import { readUnfinished } from '../../src/element/last-failure.ts';

const attempt = (at: number, status = 500) => ({ kind: 'answered', at, status, body: `body of ${at}`, durationMs: 5 });

/** What is read for an endpoint with a health, and the calls that it takes. */
const read = async ({ health = {}, deliveries = {} as Record<string, readonly object[]>, fails = false }) => {
  const calls: (readonly [string, object])[] = [];
  const call = async (_method: string, path: readonly string[], { query = {} }: { readonly query?: object }) => {
    calls.push([path.join('/'), query]);
    if (fails) throw new Error('no answer');
    const [list, id = ''] = path;
    if (list === 'events') return { body: { kind: 'waiting', dueAt: 500 } };
    const listed = Object.entries(deliveries).map(([each, { length }]) => ({
      id: each,
      eventId: `event_of_${each}`,
      endpointId: 'endpoint_1',
      attempts: length,
    }));
    return { body: { items: path.length === 1 ? listed : deliveries[id] } };
  };
  const endpoint = { id: 'endpoint_1', health: { status: 'failing', failures: 2, failingSince: 100, ...health } };
  const found = await readUnfinished({ call } as never, endpoint as never, new AbortController().signal);
  return { found, calls };
};

describe('why a webhook fails', () => {
  it('is its newest failed attempt since it fails, of deliveries that were attempted', async () => {
    const deliveries = {
      old: [attempt(40), attempt(110)],
      newer: [attempt(120), attempt(130, 200)],
      never: [],
    };
    const { found, calls } = await read({ deliveries });
    expect(found).toMatchObject({
      failure: { attempt: attempt(120), delivery: { id: 'newer' } },
      count: 3,
      dueAt: 500,
    });
    expect(calls.map(([path]) => path)).toEqual([
      'deliveries',
      'deliveries/old/attempts',
      'deliveries/newer/attempts',
      'events/event_of_newer/explanations/endpoint_1',
    ]);
    expect(calls[0]?.[1]).toEqual({ endpointId: 'endpoint_1', state: 'waiting', limit: 50 });
    expect((await read({ deliveries: { old: [attempt(99)] } })).found?.failure).toBeUndefined();
  });

  it('reads three deliveries at most', async () => {
    const deliveries = Object.fromEntries(['a', 'b', 'c', 'd'].map((id, nth) => [id, [attempt(200 + nth)]]));
    expect((await read({ deliveries })).found?.failure?.attempt).toEqual(attempt(202));
  });

  it('is in the held deliveries of a webhook that was disabled because it failed', async () => {
    const health = { status: 'disabled', disabledBy: 'failing', failingSince: undefined };
    const { found, calls } = await read({ health, deliveries: { held: [attempt(50)] } });
    expect(found?.failure?.attempt).toEqual(attempt(50));
    expect(found?.dueAt).toBeUndefined();
    expect(calls[0]?.[1]).toMatchObject({ state: 'held' });
  });

  it('has its next attempt at the end of a pause', async () => {
    const health = { status: 'paused', pausedUntil: 700 };
    expect((await read({ health, deliveries: { a: [attempt(200)] } })).found?.dueAt).toBe(700);
  });

  it.each([
    { health: { status: 'delivering' } },
    { health: { status: 'disabled', disabledBy: 'partner' } },
    { health: { status: 'disabled', disabledBy: 'gone' } },
  ])('is not looked for: %j', async (options) => {
    expect(await read({ ...options, deliveries: { a: [attempt(200)] } })).toEqual({ found: undefined, calls: [] });
  });

  it('stays unknown when it cannot be read', async () => {
    expect((await read({ fails: true })).found).toBeUndefined();
  });
});
