import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { openPool } from '../support/host-transactions.ts';

/** A message of PostgreSQL's protocol. */
const message = (kind: string, content: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(content, 'latin1')]);
};

const authenticated = message('R', '\0\0\0\0');
const ready = message('Z', 'I');
const shutDown = message('E', 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');

/** A server that shuts down as it takes a connection: the error comes in one packet with the greeting. */
const startServer = async (): Promise<string> => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, shutDown])));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/database`;
};

test('a server that shuts down during a connect fails the call, and does not end the process', async () => {
  const storage = postgresStorage(openPool({ connectionString: await startServer() }));
  await expect(storage.transaction(async () => {})).rejects.toThrow();
  await expect(storage.shards.watch(() => {})).rejects.toThrow();
});
