import type { SqlDriver } from '../driver.ts';

/** How workers are woken, where the library cannot be told of notifications. @public */
export interface ListenOptions {
  /**
   * What listens instead: `fromPg(pool)`, over the pool that the library uses or over one of its own, or `fromPostgresJs(sql)`.
   * @defaultValue none: workers look every 250 ms
   */
  readonly listen?: Pick<SqlDriver<never>, 'listen'>;
}

/** @internal */
export const listening = ({ listen }: ListenOptions): Pick<SqlDriver<never>, 'listen'> =>
  listen?.listen ? { listen: listen.listen } : {};
