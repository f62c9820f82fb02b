import { undiciSender } from '@partnerkit/undici';
import { memoryDatabase, postgresDatabase } from './database.ts';
import { readFlags } from './flags.ts';
import { startHost } from './host.ts';
import { startManagingHost } from './managing-host.ts';
import { managingTour } from './managing-tour.ts';
import { startOwnCatalogueHost } from './own-catalogue-host.ts';
import { startPartner } from './partner.ts';
import { createSteps, StepFailed } from './steps.ts';
import { tour } from './tour.ts';

const { once, json, postgres, requests, own } = readFlags(process.argv.slice(2));
const port = Number(process.env['PORT'] ?? 0);

const print = (text: string): void => {
  if (!json) console.log(text);
};

const partner = await startPartner();
// Loopback is a private address: a production platform does not allow it.
const sender = undiciSender({ allow: ['127.0.0.0/8'], ca: partner.ca });
const database = postgres ? await postgresDatabase() : memoryDatabase();
const options = { port, sender, database };
const start = own ? startOwnCatalogueHost<object> : startHost<object>;
const host = requests ? await startManagingHost<object>(options) : await start(options);

const close = async (code: number): Promise<void> => {
  await host.close();
  await partner.close();
  await sender.close();
  process.exitCode = code;
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => close(0));

if (json) {
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
} else {
  const shown = 'requests' in host ? 'the life of a deposit, step by step' : 'the main job, end to end';
  print(`partnerkit: ${shown}. The host is Fastify on ${database.name}; the partner has HTTPS.`);
  try {
    const steps = createSteps(print);
    const { clientId, clientSecret, accessToken } = await ('requests' in host
      ? managingTour(steps, host, partner)
      : tour(steps, host, partner));
    print('\nEvery step succeeded.');
    if (once) await close(0);
    else {
      const credentials = JSON.stringify({
        client_id: clientId,
        client_secret: clientSecret,
        grant_type: 'client_credentials',
        scope: 'USER',
      });
      const controls = await partner.openControls();
      print(`\nThe partner’s web interface, logged in: ${host.portalUrl}`);
      print('Add a key there, see the webhook of the tour, and send it a test. For a webhook of your own:\n');
      print(`  its URL: ${partner.url}`);
      print(`  tell the receiver its secret: curl -s ${controls}/secret -H 'Content-Type: text/plain' -d 'whsec_…'`);
      print(`  break the receiver: curl -s -X POST ${controls}/break`);
      print(`  mend it, then replay: curl -s -X POST ${controls}/mend`);
      print(`\nThe host goes on serving at ${host.baseUrl}. Try:\n`);
      print(`  curl -s ${host.baseUrl}/api/v1/partner/login -H 'Content-Type: application/json' -d '${credentials}'`);
      print(
        `  curl -s ${host.baseUrl}/api/v1/partner/organisations/org_child/me -H 'Authorization: Bearer ${accessToken}'`,
      );
      print(`  curl -s ${host.baseUrl}/api/v1/partner/jwks.json`);
      print('\nThese make a webhook, which is printed here when it arrives:\n');
      for (const line of host.webhookMakers(accessToken)) print(`  ${line}`);
      partner.onArrival(({ status, body }) => print(`\nwebhook, answered ${status}:\n${body}`));
      print('\nCtrl+C ends it.');
    }
  } catch (cause) {
    console.error(`\n${cause instanceof StepFailed ? cause.message : String(cause)}`);
    await close(1);
  }
}
