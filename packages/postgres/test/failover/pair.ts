import { startPostgres, startPostgresStandby, startTcpProxy } from '@partnerkit/workshop/services';
import { onTestFinished } from 'vitest';
import { migrate } from '../../src/index.ts';
import { openPool } from '../support/host-transactions.ts';

const settings = { max_connections: '200' };

const throughPort = (url: string, port: number): string => {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
};

/** A migrated server with a standby, and one address that follows the primary, as a virtual IP does. */
export const openPair = async (synchronous: boolean) => {
  const primary = await startPostgres({ settings });
  onTestFinished(primary.stop);
  const log = await startTcpProxy({ to: primary });
  onTestFinished(log.stop);
  const standby = await startPostgresStandby({
    ...{ of: { url: throughPort(primary.url, log.port) }, synchronous, settings },
  });
  onTestFinished(standby.stop);
  const address = await startTcpProxy({ to: primary });
  onTestFinished(address.stop);
  const pool = openPool({ connectionString: primary.url, max: 2 });
  await migrate(pool);
  return {
    primary,
    standby,
    /** The address that follows the primary. */
    url: throughPort(primary.url, address.port),
    /** On the primary, until it dies. */
    pool,
    /** From now on the standby gets nothing of the primary. */
    holdReplication: log.pause,
    /** The primary dies; what the standby did not get is lost. */
    failOver: async (): Promise<void> => {
      await primary.kill();
      await log.stop();
      await standby.promote();
      address.redirect(standby);
      address.cut();
    },
  };
};
export type Pair = Awaited<ReturnType<typeof openPair>>;
