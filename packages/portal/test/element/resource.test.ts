import { describe, expect, it } from 'vitest';
import { Resource } from '../../src/element/parts/resource.ts';

/** What shows a resource, without a browser. */
const makeHost = () => ({
  addController: () => undefined,
  requestUpdate: () => undefined,
  portal: { api: {} as never, cache: new Map<string, unknown>(), report: () => undefined },
});

describe('a resource', () => {
  it('reads after what makes it, and may use what is defined next', async () => {
    const make = (): Resource<string> => {
      const resource: Resource<string> = new Resource(makeHost(), {
        read: async () => `${owner}${resource.value ?? ''}`,
      });
      const loaded = resource.load();
      const owner = 'made';
      return Object.assign(resource, { loaded });
    };
    const resource = make() as Resource<string> & { readonly loaded: Promise<void> };
    await resource.loaded;
    expect([resource.error, resource.value]).toEqual([undefined, 'made']);
  });

  it('keeps the last value beside the error, and names its answer in the cache', async () => {
    const host = makeHost();
    let answers = 0;
    const resource = new Resource(host, {
      name: () => 'list',
      read: async () => {
        answers += 1;
        if (answers > 1) throw new Error('gone');
        return 'first';
      },
    });
    await resource.load();
    await resource.load();
    expect([resource.value, resource.error?.code]).toEqual(['first', 'unexpected']);
    expect(host.portal.cache.get('list')).toBe('first');
  });

  it('takes no answer of a read that a newer one has replaced', async () => {
    const ends: ((value: string) => void)[] = [];
    const resource = new Resource<string>(makeHost(), { read: () => new Promise((resolve) => ends.push(resolve)) });
    const [old, next] = [resource.load(), resource.load()];
    await Promise.resolve();
    await Promise.resolve();
    ends.at(-1)?.('new');
    await next;
    ends[0]?.('old');
    await old;
    expect(resource.value).toBe('new');
  });
});
