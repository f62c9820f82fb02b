import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@partnerkit/workshop/services';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openChildren } from '../../../conformance/src/prove/processes/children.ts';
import { signingKey, verifySignature } from '../../../receiver/src/index.ts';
import { generateSigningKey } from '../../src/index.ts';
import type { RotatedKeys, Rotation } from './deployments.ts';
import type { HostTask, Order, Said } from './host-process.ts';

const command = fileURLToPath(new URL('./host-process.ts', import.meta.url));
const processesAtOnce = 3;
const deployments = 4;

/** A partner's receiver: what arrived, by the path of the endpoint. */
const startReceiver = async () => {
  const posts: { readonly path: string; readonly body: Buffer; readonly signature: string }[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    posts.push({ path: request.url ?? '', body, signature: String(request.headers['x-webhook-signature']) });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

/** Starts processes of a platform, and gives them orders. */
const openPlatform = (task: Omit<HostTask, 'name' | 'role' | 'deployment'>) => {
  const problems: string[] = [];
  const waiting = new Map<string, (result: unknown) => void>();
  const children = openChildren<HostTask, Said>({
    command,
    hear: (said, { name, deployment }) => {
      if ('problem' in said) problems.push(`deployment ${deployment}: ${said.problem}`);
      else waiting.get(`${name} ${said.number}`)?.(said.result);
    },
  });
  onTestFinished(children.killAll);
  /** Rejects when a process met a problem, or ended by itself. */
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  const watching = setInterval(() => {
    const [wrong] = [...problems, ...children.unexpected];
    if (wrong !== undefined) broken.reject(new Error(wrong));
  }, 20);
  onTestFinished(() => clearInterval(watching));

  const start = async (deployment: number, nth: number) => {
    const name = `${deployment}.${nth}`;
    const answered = (number: number): Promise<unknown> => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      waiting.set(`${name} ${number}`, resolve);
      return Promise.race([promise, broken.promise]);
    };
    const started = answered(0);
    const child = children.start({ ...task, role: 'host', name, deployment });
    let orders = 0;
    const findings = await started;
    if (JSON.stringify(findings) !== '[]') problems.push(`deployment ${deployment}: ${JSON.stringify(findings)}`);
    return {
      deployment,
      stop: child.stop,
      ask: <T>(order: Order): Promise<T> => {
        orders++;
        child.tell({ number: orders, order });
        return answered(orders) as Promise<T>;
      },
    };
  };
  return { problems, children, start };
};

const openDatabase = {
  SQLite: async () => join(mkdtempSync(join(tmpdir(), 'rotation-')), 'platform.db'),
  PostgreSQL: async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    return server.url;
  },
};

const rotated = async (database: keyof typeof openDatabase, rotation: Rotation) => {
  const keys: RotatedKeys = {
    secrets: [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')],
    signing: generateSigningKey(),
    sealing: randomBytes(32).toString('base64'),
  };
  const { posts, url } = await startReceiver();
  const { problems, children, start } = openPlatform({ database: await openDatabase[database](), rotation, keys });
  type Host = Awaited<ReturnType<typeof start>>;

  const secrets = new Map<string, string>();
  const expected: string[] = [];
  let tokens: { readonly token: string; readonly deployment: number }[] = [];
  let refused = 0;
  let reads = 0;
  let living: readonly Host[] = [];
  const first = await start(0, 0);
  const credentials = await first.ask<{ clientId: string; clientSecret: string }>({ act: 'add client' });

  /** Every process logs in, publishes and adds an endpoint; every process accepts every token that it should. */
  const work = async (hosts: readonly Host[]): Promise<void> => {
    for (const host of hosts) {
      const token = await host.ask<string>({ act: 'login', ...credentials });
      tokens.push({ token, deployment: host.deployment });
      const path = `/${secrets.size}`;
      secrets.set(path, await host.ask({ act: 'add endpoint', url: `${url}${path}` }));
      const id = `booking-${expected.length}`;
      expected.push(...[...secrets.keys()].map((each) => `${each} ${id}`));
      await host.ask({ act: 'publish', id });
    }
    for (const host of hosts)
      for (const { token } of tokens) {
        reads++;
        if ((await host.ask({ act: 'read', token })) !== 200) refused++;
      }
  };

  living = [first, ...(await Promise.all([start(0, 1), start(0, 2)]))];
  await work(living);
  for (let deployment = 1; deployment < deployments; deployment++) {
    // The last deployment follows when the last token of the old key has expired.
    if (deployment === deployments - 1) tokens = tokens.filter((each) => each.deployment >= deployment - 1);
    const next = await Promise.all(Array.from({ length: processesAtOnce }, (_, nth) => start(deployment, nth)));
    await work([...living, ...next]);
    await Promise.all(living.map((host) => host.stop()));
    living = next;
    await work(living);
    // The last deployment no longer opens what the old key sealed.
    if (deployment === deployments - 2) await living[0]?.ask({ act: 'reseal' });
  }
  const arrived = () => new Set(posts.map(({ path, body }) => `${path} ${JSON.parse(String(body)).data.id}`));
  while (problems.length === 0 && expected.some((each) => !arrived().has(each))) await sleep(20);
  await Promise.all(living.map((host) => host.stop()));

  const forged = posts.filter(
    ({ path, body, signature }) => verifySignature(body, signature, [signingKey(secrets.get(path) ?? '')]) !== 'valid',
  );
  return { problems, refused, reads, forged, lost: expected.filter((each) => !arrived().has(each)), children };
};

describe.each([
  ['SQLite', 'a secret'],
  ['SQLite', 'an origin and a signing key'],
  ['SQLite', 'keys of its own'],
  ['PostgreSQL', 'a secret'],
  ['PostgreSQL', 'keys of its own'],
] as const)('three processes on %s replace %s', (database, rotation) => {
  test('no login is refused, and no delivery is lost, delayed or signed with another secret', async () => {
    const { problems, refused, reads, forged, lost, children } = await rotated(database, rotation);
    expect({ problems, unexpected: children.unexpected, refused, forged, lost }).toEqual({
      ...{ problems: [], unexpected: [], refused: 0, forged: [], lost: [] },
    });
    expect(reads).toBeGreaterThan(200);
  });
});
