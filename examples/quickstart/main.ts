import { join } from 'node:path';
import { httpsSender } from '@partnerkit/node';
import { memorySeenKeys } from '@partnerkit/receiver';
import { sqliteSeenKeys } from '@partnerkit/sqlite';
import { memoryDatabase, postgresDatabase, sqliteDatabase } from './database.ts';
import { readFlags } from './flags.ts';
import { startHost } from './host.ts';
import { keepPartner, keepPlatform, openFolder } from './kept.ts';
import { loginBody } from './login.ts';
import { startManagingHost } from './managing-host.ts';
import { managingTour } from './managing-tour.ts';
import { startOwnObjectsHost } from './own-objects-host.ts';
import { startPartner } from './partner.ts';
import { resume } from './resume.ts';
import { createSteps } from './steps.ts';
import { tour } from './tour.ts';

const { once, json, memory, postgres, requests, own, data } = readFlags(process.argv.slice(2));
const port = process.env['PORT'] === undefined ? {} : { port: Number(process.env['PORT']) };

const print = (text: string): void => {
  if (!json) console.log(text);
};

const ends: (() => unknown)[] = [];
/** Ends everything that started, the last first. */
const close = async (code: number): Promise<void> => {
  for (const end of ends.splice(0).reverse()) await end();
  process.exitCode = code;
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => close(0));

/** The platform and the partner, with what they kept of an earlier start. */
const start = async () => {
  const scene = requests ? 'requests' : own ? 'own' : 'payments';
  const folder = memory || postgres ? undefined : openFolder(data ?? (once ? undefined : '.quickstart'), scene);
  if (folder) ends.push(folder.remove);
  const kept = keepPartner(folder?.path);
  const isResumed = kept.value.secrets.length > 0;
  const stored = folder && sqliteSeenKeys(join(folder.path, 'partner.db'));
  if (stored) ends.push(stored.close);
  const partner = await startPartner({ kept, seen: stored ?? memorySeenKeys() });
  ends.push(partner.close);
  // Loopback is a private address: a production platform does not allow it.
  const sender = httpsSender({ allow: ['127.0.0.0/8'], ca: partner.ca });
  ends.push(sender.close);
  const database = folder
    ? sqliteDatabase(join(folder.path, 'platform.db'))
    : postgres
      ? await postgresDatabase()
      : memoryDatabase();
  if (isResumed) {
    print(`partnerkit goes on with the data in ${folder?.path}; delete that folder to begin again.`);
    partner.onArrival(({ status, body }) => print(`\nwebhook, answered ${status}:\n${body}`));
  }
  const options = { ...port, kept: keepPlatform(folder?.path), sender, database };
  const startPlatform = own ? startOwnObjectsHost<object> : startHost<object>;
  const host = requests ? await startManagingHost<object>(options) : await startPlatform(options);
  ends.push(host.close);
  return { host, partner, isResumed, databaseName: database.name };
};

type Running = Awaited<ReturnType<typeof start>>;

/** For other programs. */
const describe = async ({ host }: Running): Promise<void> => {
  const added = await host.kit.clients.create('org_main', { name: 'Driven from outside' });
  if (added.isErr()) throw new Error(`The key was not added: ${added.error.code}.`);
  console.log(
    JSON.stringify({
      baseUrl: host.baseUrl,
      portalUrl: host.portalUrl,
      jwksUrl: `${host.baseUrl}/api/v1/partner/jwks.json`,
      organisationId: 'org_main',
      childId: 'org_child',
      grandchildId: 'org_grandchild',
      parentId: 'org_parent',
      strangerId: 'org_stranger',
      clientId: added.value.client.id,
      clientSecret: added.value.secret,
    }),
  );
};

/** For people: the tour, and then what they can try. */
const show = async ({ host, partner, isResumed, databaseName }: Running): Promise<void> => {
  const shown = 'requests' in host ? 'the hire of a car, step by step' : 'the main job, end to end';
  if (!isResumed) print(`partnerkit: ${shown}. The host is Fastify on ${databaseName}; the partner has HTTPS.`);
  const steps = createSteps(print);
  const session = isResumed
    ? await resume(steps, host, partner, { waits: once })
    : await ('requests' in host ? managingTour(steps, host, partner) : tour(steps, host, partner));
  const { clientId, clientSecret, accessToken } = session;
  partner.kept.change({ credentials: { clientId, clientSecret } });
  print('\nEvery step succeeded.');
  if (once) return close(0);

  const controls = await partner.openControls();
  print(`\nThe partner’s web interface, logged in: ${host.portalUrl}`);
  print('Add a key there, see the webhook of the tour, and send it a test. For a webhook of your own:\n');
  print(`  its URL: ${partner.url}`);
  print(`  tell the receiver its secret: curl -s ${controls}/secret -H 'Content-Type: text/plain' -d 'whsec_…'`);
  print(`  break the receiver: curl -s -X POST ${controls}/break`);
  print(`  mend it, then replay: curl -s -X POST ${controls}/mend`);
  print(`\nThe host goes on serving at ${host.baseUrl}. Try:\n`);
  print(
    `  curl -s ${host.baseUrl}/api/v1/partner/login -H 'Content-Type: application/json' -d '${loginBody(session)}'`,
  );
  print(
    `  curl -s ${host.baseUrl}/api/v1/partner/organisations/org_child/me -H 'Authorization: Bearer ${accessToken}'`,
  );
  print(`  curl -s ${host.baseUrl}/api/v1/partner/jwks.json`);
  print('\nThese make a webhook, which is printed here when it arrives:\n');
  for (const line of host.webhookMakers(accessToken)) print(`  ${line}`);
  partner.onArrival(({ status, body }) => print(`\nwebhook, answered ${status}:\n${body}`));
  if (!memory && !postgres)
    print('\nKill this process after one of them, and start it again: what was not delivered is delivered.');
  print('\nCtrl+C ends it.');
};

try {
  const running = await start();
  await (json ? describe(running) : show(running));
} catch (cause) {
  console.error(`\n${(cause as Partial<Error>).message ?? String(cause)}`);
  await close(1);
}
