import { describe, expect, it } from 'vitest';
import { Resource } from '../../src/element/resource.ts';

describe('a resource', () => {
  it('reads after what makes it, and may use what is defined next', async () => {
    const make = (): Resource<string> => {
      const resource: Resource<string> = new Resource(
        async () => `${owner}${resource.value ?? ''}`,
        () => undefined,
      );
      const loaded = resource.load();
      const owner = 'made';
      return Object.assign(resource, { loaded });
    };
    const resource = make() as Resource<string> & { readonly loaded: Promise<void> };
    await resource.loaded;
    expect([resource.error, resource.value]).toEqual([undefined, 'made']);
  });
});
