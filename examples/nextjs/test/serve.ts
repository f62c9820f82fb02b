import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import * as partner from '../app/api/v1/partner/[...path]/route.ts';
import * as paid from '../app/payments/[id]/paid/route.ts';
import { pool } from '../lib/kit.ts';

/** Stands for Next.js: it hands a standard request to the handler of the file that a path names. */
const answer = async (message: IncomingMessage): Promise<Response> => {
  const path = message.url ?? '/';
  const body = await buffer(message);
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)] as [string, string]);
  const request = new Request(`http://127.0.0.1${path}`, { method: 'POST', headers, body });
  if (path.startsWith('/api/v1/partner/')) return partner.POST(request);
  const id = /^\/payments\/([^/]+)\/paid$/.exec(path)?.[1];
  return id === undefined
    ? new Response(null, { status: 404 })
    : paid.POST(request, { params: Promise.resolve({ id }) });
};

const server = createServer(async (message, response) => {
  const answered = await answer(message);
  response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text());
});
server.listen(0, '127.0.0.1', () => {
  console.log('listening on', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => {
  server.close(async () => {
    await pool.end();
  });
  server.closeIdleConnections();
});
