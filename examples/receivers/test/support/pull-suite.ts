import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';
import { fastifyRoutes } from '@partnerkit/fastify';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { missing, notInstalled } from './missing.ts';
import { run } from './program.ts';

export interface PullerUnderTest {
  readonly name: string;
  /** Commands that this machine must have. */
  readonly needs: readonly string[];
  /** Starts it. */
  readonly start: string;
}

const organisationId = 'org_main';
const notified = { name: "Gîte d'O'Brien — 日本語 🏡", amount: 120.5, currency: 'EUR' };

/** An answer in place of the platform's, in the form of its document. */
interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly resumeAfter?: string;
}

/** A platform on a socket with a pull endpoint, in pages of two events. */
const platform = async () => {
  const kit = createPartnerkit({
    accounts: memoryAccounts([{ id: organisationId, name: 'Main', status: 'active', environment: 'prod' }]),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: extendRequestObjects({}),
    api: { webhooks: true },
  });
  const requests = createRequests({ kit });
  const endpointInput = { kind: 'pull', events: ['RequestPayment.creation'] } as const;
  const { endpoint } = (await kit.endpoints.create(organisationId, endpointInput))._unsafeUnwrap();
  const key = (await kit.clients.create(organisationId, { name: 'puller' }))._unsafeUnwrap();

  /** The `after` of each request for events, and those who wait for the next one. */
  const asked: (string | null)[] = [];
  const refusals: Refusal[] = [];
  let logins = 0;
  const app = fastify({
    forceCloseConnections: true,
    rewriteUrl: ({ url = '' }) => (url.includes('/events?') ? `${url}&limit=2` : url),
  });
  app.addHook('onRequest', async ({ url }, reply) => {
    if (url.endsWith('/login')) logins++;
    if (!url.includes('/events?')) return;
    const { searchParams } = new URL(url, 'http://platform');
    expect(searchParams.get('wait')).toBe('25');
    asked.push(searchParams.get('after'));
    const refusal = refusals.shift();
    if (refusal) return reply.code(refusal.status).send({ title: 'No', detail: 'On purpose.', ...refusal });
  });
  await app.register(fastifyRoutes, { routes: [...kit.routes, ...requests.routes] });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());

  const worker = kit.worker();
  /** Publishes events, and resolves to the ids of their objects. */
  const publish = async (count: number): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let nth = 0; nth < count; nth++) {
      const input = { ...notified, recipient: { email: 'guest@example.com' } };
      ids.push((await requests.payments.create(organisationId, input, { tx: 'new' }))._unsafeUnwrap().id);
    }
    await worker.drain();
    return ids;
  };
  /** The cursor after a number of events. */
  const cursorAfter = async (count: number): Promise<string> =>
    (await kit.events.pull(organisationId, endpoint.id, { limit: count }))._unsafeUnwrap().next;
  const env = {
    ...{ PARTNER_API: `${origin}/api/v1/partner`, ORGANISATION_ID: organisationId, ENDPOINT_ID: endpoint.id },
    ...{ CLIENT_ID: key.client.id, CLIENT_SECRET: key.secret },
  };
  return { kit, key, asked, refusals, logins: () => logins, publish, cursorAfter, env };
};

/** Resolves once a condition holds. */
const until = async (holds: () => boolean, output: () => string): Promise<void> => {
  const deadline = Date.now() + 60_000;
  while (!holds()) {
    if (Date.now() > deadline) expect.unreachable(output());
    await setTimeout(10);
  }
};

/** Tests a program that pulls: a real process, and a real platform on a real socket. */
export const pullSuite = ({ name, needs, start }: PullerUnderTest): void => {
  const absent = missing(needs);
  if (absent !== undefined) {
    notInstalled(absent, `the puller in ${name}`);
    return;
  }

  const world = async () => {
    const made = await platform();
    const data = mkdtempSync(join(tmpdir(), 'partnerkit-puller-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const file = join(data, 'pulled.sqlite');
    const sql = <T>(work: (database: DatabaseSync) => T): T => {
      const database = new DatabaseSync(file, { timeout: 60_000 });
      try {
        return work(database);
      } finally {
        database.close();
      }
    };
    /** Makes each effect visible: a table that also holds an event that comes twice. */
    const countEffects = () =>
      sql((db) => db.exec('create table events (place integer primary key, id text, body text)'));
    const outputs: (() => string)[] = [];
    const output = () => outputs.map((each) => each()).join('\n');
    const startOne = (env = {}) => {
      const program = run(start, { ...made.env, DATA_DIR: data, ...env });
      outputs.push(program.output);
      onTestFinished(program.kill);
      return program;
    };
    const bodies = (): readonly string[] =>
      sql((database) => database.prepare('select body from events order by place').all()).map(({ body }) =>
        String(body),
      );
    /** The ids of the objects of the stored events, in their order. */
    const stored = (): readonly string[] => bodies().map((body) => JSON.parse(body).data.id);
    /** Resolves once the program asked that often. */
    const asks = (count: number) => until(() => made.asked.length >= count, output);
    /** Resolves once that many events are stored. */
    const stores = (count: number) => until(() => made.asked.length > 0 && stored().length >= count, output);
    return { ...made, sql, countEffects, output, startOne, bodies, stored, asks, stores };
  };

  test('stores each event once, in order, with the bytes of its body, over kills and restarts', async () => {
    const { kit, env, publish, startOne, stored, stores, bodies, asked, asks, countEffects } = await world();
    countEffects();
    const ids = await publish(9);
    // Killed as it asks for the second page, the third, …: with the page before, or without it.
    for (let count = 2; count < 5; count++) {
      const { kill, ended } = startOne();
      const before = asked.length;
      await asks(before + (count % 2) + 1);
      kill();
      await ended;
      expect(stored()).toEqual(ids.slice(0, stored().length));
    }
    startOne();
    await stores(ids.length);
    const later = await publish(1);
    await stores(ids.length + 1);
    expect(stored()).toEqual([...ids, ...later]);
    const all = (await kit.events.pull(env.ORGANISATION_ID, env.ENDPOINT_ID))._unsafeUnwrap();
    expect(bodies()).toEqual(all.items.map(({ body }) => body));
    expect(asked[0]).toBeNull();
  });

  test('stores each event once when two copies run', async () => {
    const { publish, startOne, stored, stores, asks, countEffects } = await world();
    countEffects();
    startOne();
    startOne();
    await asks(2);
    const ids = [...(await publish(4)), ...(await publish(5))];
    await stores(ids.length);
    expect(stored()).toEqual(ids);
  });

  test('leaves the cursor where it is when an effect fails, and repeats the page', async () => {
    const { publish, startOne, stored, stores, asked, asks, sql, output } = await world();
    startOne();
    await asks(1);
    const failing = `create trigger refuse before insert on events
      when (select count(*) from events) = 3 begin select raise(abort, 'on purpose'); end`;
    sql((database) => database.exec(failing));
    const ids = await publish(6);
    await asks(4);
    expect(stored()).toEqual(ids.slice(0, 2));
    expect(asked[3]).toBe(asked[2]);
    sql((database) => database.exec('drop trigger refuse'));
    await stores(ids.length);
    expect(stored()).toEqual(ids);
    expect(output()).toContain('on purpose');
  });

  test.each([
    { status: 410, code: 'cursor_expired' },
    { status: 409, code: 'cursor_ahead' },
  ])('goes on after resumeAfter at $code, and says so; what comes again is known by its id', async (refusal) => {
    const { publish, startOne, stored, stores, asked, asks, cursorAfter, refusals, sql, output } = await world();
    const ids = await publish(4);
    const first = startOne();
    await stores(4);
    first.kill();
    await first.ended;
    const resumeAfter = await cursorAfter(1);
    refusals.push({ ...refusal, resumeAfter });
    const before = asked.length;
    startOne();
    await asks(before + 2);
    expect(asked[before + 1]).toBe(resumeAfter);
    const later = await publish(1);
    await stores(5);
    expect(stored()).toEqual([...ids, ...later]);
    expect(output()).toContain(refusal.code);
    expect(sql((database) => database.prepare('select count(*) as count from cursors').get())).toEqual({ count: 1 });
  });

  test('logs in once, and again when its token is refused', async () => {
    const { publish, startOne, stored, stores, logins, refusals } = await world();
    const ids = await publish(4);
    refusals.push({ status: 503, code: 'unavailable' }, { status: 401, code: 'invalid_token' });
    startOne();
    await stores(4);
    expect(stored()).toEqual(ids);
    expect(logins()).toBe(2);
  });

  test.each([
    [{ ENDPOINT_ID: 'endpoint_none' }, 'not_found'],
    [{ CLIENT_SECRET: 'wrong' }, 'invalid_client'],
    [{ CLIENT_SECRET: undefined }, 'CLIENT_SECRET'],
    [{ PARTNER_API: 'http://platform.example' }, 'https'],
  ])('ends and says why when no repetition would help: %o', async (env, told) => {
    const { startOne, key, output } = await world();
    const { ended } = startOne(env);
    expect(await ended).toBe(1);
    expect(output()).toContain(told);
    expect(output()).not.toContain(key.secret);
  });
};
