import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type PostgresServer, startPostgres, startTcpProxy, type TcpProxy } from '@partnerkit/workshop/services';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectTo, query } from './query.ts';

const one = 'select 1 as one';
let server: PostgresServer;
let proxy: TcpProxy;
let url: string;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  proxy = await startTcpProxy({ to: server });
  const address = new URL(server.url);
  address.port = String(proxy.port);
  url = address.href;
});
afterEach(() => proxy.stop());

/** Whether the promise has settled once the server answered a connection that does not go through the proxy. */
const settlesSoon = async (promise: Promise<unknown>) => {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => {
      settled = true;
    },
  );
  for (let asked = 0; asked < 5; asked += 1) await query(server.url, one);
  return settled;
};

describe('a proxy before PostgreSQL', () => {
  it('carries bytes both ways, and counts what is open', async () => {
    const client = await connectTo(url);
    expect(proxy.connections).toBe(1);
    expect((await client.query("select repeat('é', 2000000) as long")).rows[0].long).toHaveLength(2_000_000);
    await client.end();
    await vi.waitUntil(() => proxy.connections === 0, { timeout: 240_000 });
  });

  it('cut resets open connections, at the server too, and takes new ones', async () => {
    const client = await connectTo(url);
    const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows;
    const waiting = client.query('select pg_sleep(0.01) from generate_series(1, 100000)');
    const broken = once(client, 'error');
    proxy.cut();
    await expect(waiting).rejects.toThrow();
    expect(await broken).toMatchObject([{ code: 'ECONNRESET' }]);
    expect(await query(url, one)).toEqual([{ one: 1 }]);
    await query(server.url, `select pg_terminate_backend(${pid})`);
  });

  it('pause holds bytes of connections old and new, resume loses none', async () => {
    const client = await connectTo(url);
    proxy.pause();
    const old = client.query(one);
    const fresh = query(url, one);
    expect(await settlesSoon(Promise.race([old, fresh]))).toBe(false);
    proxy.pause();
    proxy.resume();
    expect((await old).rows).toEqual([{ one: 1 }]);
    expect(await fresh).toEqual([{ one: 1 }]);
    await client.end();
  });

  it('cut ends what pause holds', async () => {
    const client = await connectTo(url);
    proxy.pause();
    const held = client.query(one);
    proxy.cut();
    await expect(held).rejects.toThrow();
    proxy.resume();
    expect(await query(url, one)).toEqual([{ one: 1 }]);
  });

  it('refuse turns new connections away and keeps open ones, accept ends that', async () => {
    const client = await connectTo(url);
    proxy.refuse();
    await expect(connectTo(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect((await client.query(one)).rows).toEqual([{ one: 1 }]);
    await proxy.accept();
    await proxy.accept();
    expect(await query(url, one)).toEqual([{ one: 1 }]);
    await client.end();
  });

  it('delay holds what comes from now on, until the connection is cut', async () => {
    const client = await connectTo(url);
    proxy.delay(1);
    expect((await client.query(one)).rows).toEqual([{ one: 1 }]);
    proxy.delay(2 ** 30);
    const late = client.query(one);
    expect(await settlesSoon(late)).toBe(false);
    proxy.cut();
    await expect(late).rejects.toThrow();
    proxy.delay(0);
    expect(await query(url, one)).toEqual([{ one: 1 }]);
  });

  it('redirect sends new connections to another server, and leaves open ones', async () => {
    const other = createServer((socket) => socket.end('the other one'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const client = await connectTo(url);
    proxy.redirect({ port: (other.address() as AddressInfo).port });
    expect(await text(connect(proxy.port, '127.0.0.1'))).toBe('the other one');
    expect((await client.query(one)).rows).toEqual([{ one: 1 }]);
    await client.end();
  });

  it('stop resets what is open and refuses what comes', async () => {
    const client = await connectTo(url);
    const held = client.query('select pg_sleep(600)');
    const [stopped] = await Promise.allSettled([proxy.stop(), held]);
    expect(stopped.status).toBe('fulfilled');
    await expect(held).rejects.toThrow();
    await expect(connectTo(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('a proxy before any server', () => {
  /** Both ends of one connection through a proxy. */
  const connectedEnds = async () => {
    const target = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    const between = await startTcpProxy({ to: target.address() as AddressInfo });
    onTestFinished(async () => {
      await between.stop();
      target.close();
    });
    const client = connect({ port: between.port, host: '127.0.0.1', allowHalfOpen: true });
    const [server] = (await once(target, 'connection')) as [Socket];
    return { client, server, between };
  };

  it('stop ends while the end of a connection is being handed on', async () => {
    const { client, server, between } = await connectedEnds();
    for (const socket of [client, server]) socket.on('error', () => {});
    client.resume();
    const stopped = Promise.withResolvers<void>();
    const { end } = Socket.prototype;
    const spy = vi.spyOn(Socket.prototype, 'end').mockImplementation(function (this: Socket, ...rest) {
      Reflect.apply(end, this, rest);
      // After the request to the system, and before its answer.
      if (this.localPort === between.port) {
        process.nextTick(() => between.stop().then(stopped.resolve, stopped.reject));
      }
      return this;
    });
    onTestFinished(() => spy.mockRestore());
    server.end();
    await stopped.promise;
    expect(between.connections).toBe(0);
  });

  /** All that the other end says; the socket stays open to answer. */
  const heard = (socket: Socket) => text(socket.iterator({ destroyOnReturn: false }));

  it.each([
    ['client', 'server'],
    ['server', 'client'],
  ] as const)('hands a reset of the %s to the %s', async (from, to) => {
    const ends = await connectedEnds();
    const [seen] = await Promise.all([once(ends[to], 'error'), ends[from].resetAndDestroy()]);
    expect(seen).toMatchObject([{ code: 'ECONNRESET' }]);
  });

  it.each([
    ['client', 'server'],
    ['server', 'client'],
  ] as const)('lets the %s finish while the %s still speaks', async (first, last) => {
    const ends = await connectedEnds();
    ends[first].end('question');
    expect(await heard(ends[last])).toBe('question');
    ends[last].end('answer');
    expect(await heard(ends[first])).toBe('answer');
  });

  it('resets its client when there is no server', async () => {
    const nowhere = await startTcpProxy({ to: { port: 1 } });
    const client = connect(nowhere.port, '127.0.0.1');
    expect(await once(client, 'error').catch((error: unknown) => [error])).toMatchObject([{ code: 'ECONNRESET' }]);
    await nowhere.stop();
  });
});
