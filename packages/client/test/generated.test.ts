import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';
import { fastifyRoutes } from '@partnerkit/fastify';
import { undiciSender } from '@partnerkit/node/undici';
import { createCertificateAuthority } from '@partnerkit/testing';
import fastify from 'fastify';
import openapiTypes, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { compileCache } from '../../../tools/tests/compile-cache.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A platform that serves its document. */
const startPlatform = async (ca: string) => {
  const storage = memoryStorage();
  const sender = undiciSender({ development: true, ca });
  const kit = createPartnerkit({
    accounts: memoryAccounts([{ id: 'org_main', name: 'Main', status: 'active', environment: 'test' }]),
    storage,
    tokens: memoryAccessTokens(),
    sender,
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: extendRequestObjects({}),
  });
  const requests = createRequests({ kit, testEnvironments: ['test'] });
  const routes = [...kit.routes, ...requests.routes];
  const app = fastify();
  await app.register(fastifyRoutes, {
    routes: [...routes, kit.openApiRoute({ title: 'Partner API', routes })],
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const worker = kit.worker();
  worker.start();
  return {
    kit,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    close: async () => {
      await worker.stop();
      await app.close();
      await sender.close();
    },
  };
};

/** The program of the partner, with types that are generated from the document, in a folder of its own. */
const writeProgram = async (documentUrl: string): Promise<string> => {
  // Below the package, so that its imports are found.
  const cache = here('../node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'generated-'));
  copyFileSync(here('generated/partner.ts.txt'), join(folder, 'partner.ts'));
  writeFileSync(join(folder, 'partner-api.ts'), astToString(await openapiTypes(new URL(documentUrl))));
  const compilerOptions = { types: ['node'], lib: ['es2024', 'dom', 'dom.iterable'], declaration: false };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: here('../../../tsconfig.base.json'), compilerOptions, include: ['*.ts'] }),
  );
  return folder;
};

test('with the document and a key alone, generated code logs in, lists, creates a payment request and a cash-out, and receives a webhook', async () => {
  const authority = await createCertificateAuthority();
  const platform = await startPlatform(authority.certificate);
  const folder = await writeProgram(`${platform.url}/api/v1/partner/openapi.json`);
  const compiled = spawnSync(here('../../../node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  expect([compiled.stdout, compiled.status]).toEqual(['', 0]);

  const { client, secret } = (await platform.kit.clients.create('org_main', { name: 'Partner' }))._unsafeUnwrap();
  const { cert, key } = await authority.issue({ names: ['localhost'] });
  const program = spawn(process.execPath, [join(folder, 'partner.js')], {
    env: {
      ...compileCache,
      API_URL: platform.url,
      CLIENT_ID: client.id,
      CLIENT_SECRET: secret,
      TLS_CERT: cert,
      TLS_KEY: key,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const url = `https://localhost:${(await lines.next()).value}/webhooks`;
  const endpoint = await platform.kit.endpoints.create('org_main', { url, events: ['RequestPayment.creation'] });
  program.stdin.write(`${endpoint._unsafeUnwrap().secret}\n`);
  expect(JSON.parse((await lines.next()).value ?? '')).toEqual({
    counts: [0, 1],
    isSame: true,
    name: 'Stay',
    cashOut: [40.5, true],
  });
  await platform.close();
  rmSync(folder, { recursive: true });
});
