import type { PageRequest, StoredPage } from './page.ts';

const limit = 100;

/** Everything of a list: a page in memory at a time. */
export async function* allOf<T>(read: (page: PageRequest) => Promise<StoredPage<T>>): AsyncGenerator<T> {
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const page = await read(after === undefined ? { limit } : { after, limit });
    yield* page.items;
    after = page.next;
  }
}
