import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { startPostgres, startRedis } from '@partnerkit/workshop/services';
import { Redis } from 'ioredis';
import pg from 'pg';

const postgresVersion = async (): Promise<string> => {
  const server = await startPostgres();
  const client = new pg.Client({ connectionString: server.url });
  try {
    await client.connect();
    const { rows } = await client.query("select split_part(current_setting('server_version'), ' ', 1) as version");
    return rows[0].version;
  } finally {
    await client.end();
    await server.stop();
  }
};

const redisVersion = async (): Promise<string> => {
  const server = await startRedis();
  const redis = new Redis(server.url);
  try {
    return /^redis_version:(\S+)/m.exec(await redis.info('server'))?.[1] ?? 'unknown';
  } finally {
    redis.disconnect();
    await server.stop();
  }
};

/** Date, machine, and versions of the servers. */
export const describeRun = async (): Promise<string> => {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}`;
  const versions = `Node.js ${process.versions.node}, PostgreSQL ${await postgresVersion()}, Redis ${await redisVersion()}`;
  return `${date}, ${machine}, ${versions}`;
};

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/** Lines of at most 120 columns. */
const wrapped = (words: readonly string[]): string =>
  words.reduce((text, word) => {
    const line = text.slice(text.lastIndexOf('\n') + 1);
    return `${text}${line.length + word.length < 120 ? ' ' : '\n'}${word}`;
  });

/** The installed versions of what is compared. */
export const describePeers = (): string => {
  const names = Object.keys(read('./package.json').devDependencies).filter(
    (name) => !/^@(partnerkit|types)\//.test(name),
  );
  const all = names.map((name) => `${name} ${read(`./node_modules/${name}/package.json`).version}`).join(', ');
  return wrapped(`${all}.`.split(' '));
};
