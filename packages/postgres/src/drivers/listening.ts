import type { SqlDriver } from './driver.ts';

/** How workers are woken when the library cannot listen for notifications. @public */
export interface ListenOptions {
  /**
   * The driver that listens instead: `fromPg(pool)`, over the library's pool or another one, or `fromPostgresJs(sql)`.
   * @defaultValue none: workers poll every 250 ms
   */
  readonly listen?: Pick<SqlDriver<never>, 'listen'>;
}

/** The `listen` of a driver. */
export const listening = ({ listen }: ListenOptions): Pick<SqlDriver<never>, 'listen'> =>
  listen?.listen ? { listen: listen.listen } : {};
