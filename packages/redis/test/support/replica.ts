import { vi } from 'vitest';
import { nodeRedis } from './clients.ts';
import { open, ownProxy, ownRedis } from './servers.ts';
import { ownSwitch } from './switch.ts';

/** A primary, a replica that follows it, and an address that leads to the primary until the replica takes over. */
export const replicated = async () => {
  const primary = await ownRedis({ 'repl-diskless-sync-delay': '0' });
  const { password } = new URL(primary.url);
  const link = await ownProxy(primary);
  const replica = await ownRedis({ replicaof: `127.0.0.1 ${link.port}`, masterauth: password });
  const onPrimary = (await open(nodeRedis(primary.url))).client;
  const onReplica = (await open(nodeRedis(replica.url))).client;
  const address = await ownSwitch(primary);
  // One password for both: clients do not know which of them they speak to.
  await onReplica.configSet({ requirepass: password });
  await vi.waitFor(async () => expectLink(await onReplica.info('replication')), { timeout: 240_000 });

  return {
    url: `redis://:${password}@127.0.0.1:${address.port}`,
    /** Resolves when the replica has all that the primary has. */
    caughtUp: async (): Promise<void> => {
      await onPrimary.set('caught up?', 'yes');
      // A primary may hear of a replica that has loaded its data with the next report of it: each second, if the link
      // holds.
      if ((await onPrimary.wait(1, 30_000)) < 1) throw new Error('The replica lags.');
    },
    /** From now on the replica hears nothing of the primary. */
    fallBehind: (): void => {
      link.refuse();
      link.cut();
    },
    /** Clients are led to the replica, which does not know yet that it is to take over. */
    leadToReplica: (): void => address.lead(replica),
    promote: async (): Promise<void> => {
      await onReplica.sendCommand(['REPLICAOF', 'NO', 'ONE']);
    },
  };
};

const expectLink = (info: string): void => {
  if (!info.includes('master_link_status:up')) throw new Error(info);
};
