import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createClient } from 'redis';
import type { HostStore } from './stores.ts';

/** As long as the part of a secret that is looked for: random, so that nothing else has it. */
const tail = 16;

/** What is looked for: the ends of secrets as text, in hex and in Base64. */
const needlesOf = (secrets: Iterable<string>): ReadonlySet<string> =>
  new Set(
    [...secrets].flatMap((secret) =>
      [
        ...[secret, Buffer.from(secret).toString('hex')],
        // A text that follows changes the last characters.
        Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -2),
      ].map((form) => form.slice(-tail)),
    ),
  );

/** Finds secrets in texts. */
export const secretFinder = (secrets: Iterable<string>) => {
  const needles = needlesOf(secrets);
  return {
    isIn: (text: string): boolean => {
      // linear: one class
      for (const [run] of text.matchAll(/[\w+/=.-]{16,}/g))
        for (let at = 0; at + tail <= run.length; at++) if (needles.has(run.slice(at, at + tail))) return true;
      return false;
    },
  };
};
type Finder = ReturnType<typeof secretFinder>;

/** Names each place that has a secret. */
export const searchLog = async ({ isIn }: Finder, file: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const line of createInterface({ input: createReadStream(file) }))
    if (isIn(line)) found.push(`log: ${line.slice(0, 200)}`);
  return found;
};

export const searchTables = async ({ isIn }: Finder, { dump }: HostStore): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const { table, rows } of dump()) if (isIn(rows)) found.push(`table ${table}`);
  return found;
};

export const searchRedis = async ({ isIn }: Finder, url: string): Promise<readonly string[]> => {
  const redis = createClient({ url });
  await redis.connect();
  const found: string[] = [];
  for await (const keys of redis.scanIterator())
    for (const key of keys) {
      const value = await redis.sendCommand(['DUMP', key]);
      if (isIn(`${key} ${value}`)) found.push(`Redis: ${key}`);
    }
  redis.destroy();
  return found;
};
