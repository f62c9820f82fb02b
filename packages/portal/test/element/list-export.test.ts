import type { TemplateResult } from 'lit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallOptions } from '../../src/element/api.ts';
import { ListExport } from '../../src/element/parts/list-export.ts';

/** What is saved: the name of the file, and its lines. */
const saved: { name: string; lines: string[] }[] = [];
let blobs: Promise<void>[] = [];

beforeEach(() => {
  saved.length = 0;
  blobs = [];
  let lines: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    const own: string[] = [];
    lines = own;
    blobs.push((blob as Blob).text().then((text) => void own.push(...text.split('\n').slice(0, -1))));
    return 'blob:saved';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  const anchor = { href: '', download: '', click: () => void saved.push({ name: anchor.download, lines }) };
  vi.stubGlobal('document', { createElement: () => anchor });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A list of `total` items, without a browser. */
const open = (total: number) => {
  const queries: unknown[] = [];
  const announced: string[] = [];
  const call = async (_method: string, _path: readonly string[], { query = {}, signal }: CallOptions) => {
    signal?.throwIfAborted();
    queries.push(query);
    const [first, limit] = [Number(query['after'] ?? 0), Number(query['limit'])];
    const end = Math.min(total, first + limit);
    const items = Array.from({ length: end - first }, (_none, index) => ({ id: first + index }));
    return { body: { items, ...(end < total ? { next: String(end) } : {}) } };
  };
  const t = (key: string, values: { count?: number } = {}) =>
    [key, values.count].filter((each) => each !== undefined).join(' ');
  const host = {
    addController: () => undefined,
    requestUpdate: () => undefined,
    portal: { api: { call }, texts: { t }, announce: (text: string) => announced.push(text), report: () => undefined },
  };
  const exported = new ListExport(host as never);
  const press = (): void => {
    const pressed = (exported.button('events', { order: 'newest' }) as TemplateResult).values.find(
      (each): each is () => void => typeof each === 'function',
    );
    pressed?.();
  };
  const ended = () => vi.waitFor(() => expect(exported.action.isPending).toBe(false), { timeout: 60_000, interval: 1 });
  return { queries, announced, press, ended };
};

describe('the export of a list', () => {
  it('saves each item as a line, page by page', async () => {
    const { queries, announced, press, ended } = open(250);
    press();
    await ended();
    await Promise.all(blobs);
    expect(saved.map(({ name, lines }) => [name, lines.length])).toEqual([['events.jsonl', 250]]);
    expect(saved[0]?.lines.map((line) => JSON.parse(line).id)).toEqual(Array.from({ length: 250 }, (_, id) => id));
    expect(queries).toEqual([
      { order: 'newest', limit: 100, after: undefined },
      { order: 'newest', limit: 100, after: '100' },
      { order: 'newest', limit: 100, after: '200' },
    ]);
    expect(announced).toEqual(['list.exported 250']);
  });

  it('ends after 100,000 lines, and says that there are more', async () => {
    const { queries, announced, press, ended } = open(100_101);
    press();
    await ended();
    await Promise.all(blobs);
    expect(saved.map(({ lines }) => lines.length)).toEqual([100_000]);
    expect(queries).toHaveLength(1_000);
    expect(announced).toEqual(['list.export-end 100000']);
  });

  it('saves nothing when it is stopped', async () => {
    const { queries, announced, press, ended } = open(100_101);
    press();
    press();
    await ended();
    expect(saved).toEqual([]);
    expect(announced).toEqual([]);
    expect(queries.length).toBeLessThan(1_000);
  });
});
