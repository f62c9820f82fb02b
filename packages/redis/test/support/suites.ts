import { afterAll, beforeAll, describe, inject } from 'vitest';
import { clusterClients, type HostClient, singleClients } from './clients.ts';
import { startCluster, type TestCluster } from './cluster.ts';
import { type Admins, openAdmins } from './store-time.ts';

/** A machine that runs many tests at once may be slow. Milliseconds. */
export const timeout = 20_000;

/** A client of a host, once the tests run, and the servers behind it. */
export interface Host {
  readonly client: HostClient['client'];
  readonly urls: readonly string[];
  readonly admins: Admins;
}

const describeHost = (
  name: string,
  connect: () => Promise<HostClient>,
  urls: () => readonly string[],
  suite: (host: Host) => void,
): void => {
  describe(name, () => {
    let made: HostClient;
    let admins: Admins;
    beforeAll(async () => {
      made = await connect();
      admins = openAdmins(urls());
    });
    afterAll(async () => {
      await made.close();
      await admins.close();
    });
    suite({
      get client() {
        return made.client;
      },
      get urls() {
        return urls();
      },
      get admins() {
        return admins;
      },
    });
  });
};

/** Runs a suite with each client, on one server and on a cluster. */
export const onEveryClient = (suite: (host: Host) => void): void => {
  const url = inject('redis');
  for (const [name, connect] of singleClients) {
    describeHost(
      `${name}, one server`,
      () => connect(url),
      () => [url],
      suite,
    );
  }
  describe('a cluster', () => {
    let cluster: TestCluster;
    beforeAll(async () => {
      cluster = await startCluster();
    });
    afterAll(() => cluster.stop());
    for (const [name, connect] of clusterClients) {
      describeHost(
        name,
        () => connect(cluster.urls),
        () => cluster.urls,
        suite,
      );
    }
  });
};
