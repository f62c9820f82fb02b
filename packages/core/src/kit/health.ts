import { err, type Result, ResultAsync } from '#result';
import { callPort, type Unavailable } from '../base/runtime/call-port.ts';
import { timeOfId } from '../base/runtime/id.ts';
import { assertOptionNames } from '../base/runtime/option-names.ts';
import type { Storage } from '../stores/storage/storage.ts';
import type { DeliveryLog } from '../webhooks/log/delivery-log.ts';
import type { CheckFailure, CheckKit, CheckReport } from './check.ts';
import type { HealthOptions, HealthReport } from './health-report.ts';
import { judge } from './health-status.ts';

/** Reads the health of a kit and its storage. It writes nothing. */
export type ReadHealth = (options?: HealthOptions) => ResultAsync<HealthReport, Unavailable>;

export interface HealthDeps {
  readonly log: Pick<DeliveryLog, 'countBacklog' | 'readHealthSnapshot'>;
  readonly handlers: Pick<Storage<never>['handlers'], 'listHandlers'>;
  /** Over {@link unwritten}. */
  readonly check: CheckKit;
}

/** A storage for `check`, which then leaves no id of a secret behind and removes no expired worker. */
export const unwritten = <Tx extends object>(storage: Storage<Tx>): Storage<Tx> => ({
  ...storage,
  shards: { ...storage.shards, heartbeat: async () => 'fenced' },
  secretIds: { ...storage.secretIds, replaceSecretIds: async () => true },
});

const withoutCause = (checked: Result<CheckReport, CheckFailure>): Pick<HealthReport, 'findings' | 'warnings'> =>
  checked.match(
    ({ warnings }) => ({ findings: [], warnings }),
    ({ findings }) => ({ findings: findings.map(({ part, code, detail }) => ({ part, code, detail })), warnings: [] }),
  );

/** Creates `kit.health`. */
export const createHealth = ({ log, handlers, check }: HealthDeps): ReadHealth => {
  const read = async ({ check: checks = true }: HealthOptions): Promise<Result<HealthReport, Unavailable>> => {
    // One after the other: a pool of one connection serves them as well.
    const facts = await callPort(async () => ({
      backlog: await log.countBacklog(),
      snapshot: await log.readHealthSnapshot(),
      handlers: await handlers.listHandlers(),
    }));
    if (facts.isErr()) return err(facts.error);
    const checked = checks ? withoutCause(await check()) : { findings: [], warnings: [] };
    return facts.map(({ backlog, snapshot, handlers }) => {
      const { now: at, oldestUndispatched, workers, ...others } = snapshot;
      return judge({
        ...{ at, ...others, handlers, ...checked },
        backlog: { ...backlog, ...(oldestUndispatched === undefined ? {} : { oldestUndispatched }) },
        workers: workers.map((worker) => ({ ...worker, since: timeOfId(worker.id) })),
      });
    });
  };
  return (options = {}) => {
    assertOptionNames('health', options, { check: true });
    return new ResultAsync(read(options));
  };
};
