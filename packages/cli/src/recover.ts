import { CliError, UsageError } from './cli-error.ts';
import { withKitModule } from './kit-module.ts';
import type { Output } from './output.ts';

export interface RecoverOptions {
  /** A module that exports the kit by default. */
  readonly module: string;
  readonly account: string;
  readonly endpoint: string;
  /** When the events were published: from this time on, in milliseconds since 1970. */
  readonly from: number;
  /** Before this time. */
  readonly to: number;
}

/** What is used of a kit. */
interface Kit {
  readonly deliveries: {
    recover(
      accountId: string,
      endpointId: string,
      range: { readonly from: number; readonly to: number; readonly after?: string },
    ): PromiseLike<{
      match<T>(
        ok: (batch: { readonly deliveries: number; readonly next?: string }) => T,
        err: (failure: { readonly code: string; readonly message: string }) => T,
      ): T;
    }>;
  };
}

const isKit = (value: unknown): value is Kit =>
  typeof (value as Partial<Kit> | undefined)?.deliveries?.recover === 'function';

/** Whether a month has a day: `Date.parse` reads 31 February as 3 March. */
const exists = (date: string): boolean => new Date(`${date}T00:00Z`).toISOString().startsWith(date);

/** A time with its zone, as milliseconds since 1970. @throws UsageError */
export const readTime = (option: string, text: string): number => {
  const [, date] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const time = date === undefined ? Number.NaN : Date.parse(text);
  if (Number.isNaN(time)) throw new UsageError(`--${option} needs a time with its zone, such as 2027-01-15T08:00:00Z.`);
  if (date !== undefined && !exists(date)) throw new UsageError(`--${option}: there is no day ${date}.`);
  return time;
};

/** Sends what failed to an endpoint again, batch by batch. Resolves to the exit code. */
export const recover = async (
  { module, account, endpoint, from, to }: RecoverOptions,
  output: Output,
): Promise<number> => {
  const sent = await withKitModule({ path: module, isKit, output }, async ({ kit }) => {
    let sent = 0;
    for (let after: string | undefined, isLast = false; !isLast; isLast = after === undefined) {
      const range = { from, to, ...(after === undefined ? {} : { after }) };
      const batch = (await kit.deliveries.recover(account, endpoint, range)).match(
        (found) => found,
        ({ code, message }) => {
          throw new CliError(`${code}: ${message} ${sent} events were sent again; a repetition sends none twice.`);
        },
      );
      sent += batch.deliveries;
      after = batch.next;
      if (after !== undefined) output.progress(`${sent} events are on their way, more are read.`);
    }
    return sent;
  });
  output.result([`${sent} events that had failed are sent again.`], { deliveries: sent });
  return 0;
};
