import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type RedisServer, startRedis } from '@partnerkit/workshop/services';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

/** One command, as the owner of the address. */
const ask = async (address: string, command: string) => {
  const { password, port } = new URL(address);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`AUTH ${password}\r\n${command}\r\nQUIT\r\n`);
  const [, ...lines] = (await text(socket)).split('\r\n');
  return lines.slice(0, -2).join(' ');
};

describe('a Redis server', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  it('answers', async () => {
    expect(await ask(server.url, 'SET answers 1')).toBe('+OK');
    expect(await ask(server.url, 'GET answers')).toBe('$1 1');
  });

  it('forgets every key when flushed', async () => {
    await ask(server.url, 'SET flushed 1');
    await server.flush();
    expect(await ask(server.url, 'DBSIZE')).toBe(':0');
  });

  it.each(['restart', 'kill'] as const)('is empty at its address after a %s', async (act) => {
    await ask(server.url, 'SET lost 1');
    await server[act]();
    if (act === 'kill') {
      await expect(ask(server.url, 'PING')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await server.restart();
    }
    expect(await ask(server.url, 'DBSIZE')).toBe(':0');
  });

  it('lets nobody in without the password', async () => {
    const address = new URL(server.url);
    address.password = 'guessed';
    expect(await ask(address.href, 'PING')).toContain('NOAUTH');
  });
});

describe('Redis servers', () => {
  it('live side by side, each with its own settings, until they are stopped', async () => {
    const servers = await Promise.all(['101', '102'].map((maxclients) => startRedis({ settings: { maxclients } })));
    const replies = servers.map(({ url }) => ask(url, 'CONFIG GET maxclients'));
    expect(await Promise.all(replies)).toEqual([expect.stringContaining('101'), expect.stringContaining('102')]);
    await Promise.all(servers.map((server) => server.stop()));
    for (const { url } of servers) await expect(ask(url, 'PING')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('say why they did not start', async () => {
    await expect(startRedis({ settings: { 'no-such-setting': '1' } })).rejects.toThrow('no-such-setting');
  });

  it('that are nowhere to be found name the ways out', async () => {
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    await expect(startRedis({ install: true })).rejects.toThrow(
      /redis-server or valkey-server.*install: true.*REDIS_URL/,
    );
  });
});
