import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expressRouter } from '@partnerkit/express';
import express from 'express';
import { kit, storage } from './kit.ts';

/** One person is logged in. Here your sessions stand. */
const session = randomBytes(16).toString('base64url');

const management = kit.managementRoutes({
  basePath: '/partner-management',
  authorize: ({ headers }) =>
    String(headers['cookie']).split('; ').includes(`session=${session}`)
      ? { accountId: 'acc_bellerive', userId: 'zoe', can: { keys: 'write', webhooks: 'write', deliveries: 'write' } }
      : undefined,
});

const app = express();
app.use(expressRouter([...kit.routes, ...management]));
app.get('/log-in', (_request, response) => {
  response.cookie('session', session, { httpOnly: true, sameSite: 'lax' }).redirect('/');
});
app.use(express.static(fileURLToPath(new URL('public', import.meta.url))));

const worker = kit.worker();
worker.start();

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log('listening on', `http://127.0.0.1:${(server.address() as AddressInfo).port}/log-in`);
});

const stop = (): void => {
  server.close(async () => {
    await worker.stop();
    storage.close();
  });
  server.closeIdleConnections();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
