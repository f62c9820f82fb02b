import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { onFreePort } from './free-port.ts';
import { findProgram } from './program.ts';
import { openServiceHome } from './service-home.ts';

/**
 * Options of a Redis server.
 * @public
 */
export interface RedisOptions {
  /**
   * Server settings, by name.
   * @defaultValue those of Redis, but without persistence
   */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Allow `apt-get install` when the PATH has neither `redis-server` nor `valkey-server` and this process is root on
   * Debian.
   * @defaultValue false
   */
  readonly install?: boolean;
}

/**
 * A started Redis server.
 * @public
 */
export interface RedisServer {
  /** URL, with the password. */
  readonly url: string;
  /** Port on 127.0.0.1; the same after a restart. */
  readonly port: number;
  /** Stops the server and starts it again, empty; after {@link RedisServer.kill}, only starts it. */
  restart(): Promise<void>;
  /** Ends the server like `kill -9`. */
  kill(): Promise<void>;
  /** Removes every key. */
  flush(): Promise<void>;
  /** Ends the server. */
  stop(): Promise<void>;
}

/** Sends one inline command to Redis, and returns the first line of the reply. */
const command = async (port: number, password: string, command: string) => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`AUTH ${password}\r\n${command}\r\nQUIT\r\n`);
  return (await text(socket)).split('\r\n')[1];
};

/**
 * Starts a real Redis (or Valkey) server on a free port. It writes nothing to disk, and stops soon after the calling
 * process ends, even if it was killed. Linux and macOS.
 * @example
 * const server = await startRedis();
 * const client = await createClient({ url: server.url }).connect();
 * await client.set('seen', '1');
 * await server.flush();
 * client.destroy();
 * await server.stop();
 * @public
 */
export const startRedis = async ({ settings, install = false }: RedisOptions = {}): Promise<RedisServer> => {
  const program = await findProgram({
    title: 'Redis',
    names: ['redis-server', 'valkey-server'],
    // The package `redis-server` would start a system service; this one has the same binary under another name.
    debianPackage: 'redis-tools',
    installed: '/usr/bin/redis-check-rdb',
    install,
    remedy: '; tests that may share a server also take the one that REDIS_URL names',
  });
  const home = await openServiceHome({ name: 'redis', parent: tmpdir(), quit: 'SIGKILL' });
  const password = randomBytes(16).toString('hex');

  const isReady = (port: number) =>
    command(port, password, 'PING').then(
      (reply) => reply === '+PONG',
      () => false,
    );
  const start = (port: number) => {
    const all = { bind: '127.0.0.1', save: '""', dir: home.folder, requirepass: password, ...settings, port };
    const input = Object.entries(all).map(([name, value]) => `${name} ${value}\n`);
    // Settings are written to standard input, because every user of the system can read arguments.
    return home.start(program, ['-'], { argv0: 'redis-server', input: input.join(''), ready: () => isReady(port) });
  };

  try {
    const port = await onFreePort(start);
    return {
      url: `redis://:${password}@127.0.0.1:${port}`,
      port,
      restart: async () => {
        await home.end('SIGTERM');
        await start(port);
      },
      kill: () => home.end('SIGKILL'),
      flush: async () => {
        const reply = await command(port, password, 'FLUSHALL SYNC');
        if (reply !== '+OK') throw new Error(`Redis did not remove its keys: ${reply}`);
      },
      stop: home.close,
    };
  } catch (cause) {
    await home.close();
    throw cause;
  }
};
