/** A query of postgres.js: `handler` sends it once somebody awaits it. */
interface LazyQuery {
  handler(query: LazyQuery): unknown;
  reject(cause: unknown): void;
}

const isQuery = (made: unknown): made is LazyQuery =>
  typeof made === 'object' && made !== null && typeof (made as Partial<LazyQuery>).handler === 'function';

type Callable = (...of: unknown[]) => unknown;

/**
 * A transaction of postgres.js that can be revoked: queries that were not sent by then reject with `refusal()`.
 * postgres.js itself sends them on whatever the connection does by then, such as the transaction of somebody else.
 */
export const revocableSql = <Sql extends object>(
  sql: Sql,
  refusal: () => Error,
): { readonly tx: Sql; readonly revoke: () => void } => {
  let isRevoked = false;
  const limited = (made: unknown): unknown => {
    if (!isQuery(made)) return made;
    const { handler } = made;
    const send = (query: LazyQuery): unknown => (isRevoked ? query.reject(refusal()) : handler(query));
    made.handler = Object.assign(send, handler);
    return made;
  };
  const guard = <T extends object>(on: T): T =>
    new Proxy(on, {
      apply: (target, self, given) => limited(Reflect.apply(target as Callable, self, given)),
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name === 'unsafe' || name === 'file')
          return (...given: unknown[]) => limited(Reflect.apply(value, target, given));
        if (name !== 'savepoint') return value;
        return (...given: unknown[]) =>
          new Promise((resolve, reject) => {
            if (isRevoked) throw refusal();
            const work = given.at(-1) as Callable;
            const perform = async (inner: object): Promise<unknown> => {
              try {
                return await work(guard(inner));
              } finally {
                // postgres.js would roll back to the savepoint, in whatever transaction there is by now.
                if (isRevoked) {
                  reject(refusal());
                  await new Promise(() => {});
                }
              }
            };
            Reflect.apply(value, target, given.with(-1, perform)).then(resolve, reject);
          });
      },
    });
  return {
    tx: guard(sql),
    revoke: () => {
      isRevoked = true;
    },
  };
};
