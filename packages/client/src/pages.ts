import type { Client, FetchResponse, MaybeOptionalInit } from 'openapi-fetch';
import type { PathsWithMethod } from 'openapi-typescript-helpers';
import { unwrap } from './client-error.ts';

/** A page of a list. */
interface Page<Item = unknown> {
  readonly items: readonly Item[];
  readonly next?: string;
}

/** What a GET of this path returns. */
// biome-ignore lint/suspicious/noExplicitAny: paths have no common type that names their operations.
type Data<Paths extends Record<string, any>, Path extends keyof Paths> = NonNullable<
  FetchResponse<Paths[Path]['get'], object, `${string}/${string}`>['data']
>;

/**
 * The paths of a document that answer pages.
 * @public
 */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type ListPath<Paths extends Record<string, any>> = {
  [Path in PathsWithMethod<Paths, 'get'>]: Data<Paths, Path> extends Page ? Path : never;
}[PathsWithMethod<Paths, 'get'>];

/**
 * What a list of this path has.
 * @public
 */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type ListItem<Paths extends Record<string, any>, Path extends keyof Paths> =
  Data<Paths, Path> extends Page<infer Item> ? Item : never;

/**
 * Iterates all items of a list, one page at a time.
 * @public
 */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type Items<Paths extends Record<string, any>> = <Path extends ListPath<Paths>>(
  path: Path,
  init: MaybeOptionalInit<Paths[Path], 'get'>,
) => AsyncGenerator<ListItem<Paths, Path>, void, void>;

interface ListInit {
  readonly params?: { readonly query?: Readonly<Record<string, unknown>> };
}

export const createItems = <Paths extends object>(client: Client<Paths>): Items<Paths> => {
  const get = client.GET as (path: unknown, init: object) => Promise<{ data?: Page; response: Response }>;
  async function* items(path: unknown, init: ListInit = {}) {
    let query = init.params?.query ?? {};
    const followed = new Set<unknown>([query['after']]);
    for (;;) {
      const { items, next } = await unwrap(get(path, { ...init, params: { ...init.params, query } }));
      yield* items;
      if (next === undefined) return;
      // It would never end.
      if (followed.has(next)) throw new Error(`items: the platform answered the same next twice, in ${path}.`);
      followed.add(next);
      query = { ...query, after: next };
    }
  }
  return items as Items<Paths>;
};
