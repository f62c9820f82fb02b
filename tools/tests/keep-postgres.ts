// Keeps one PostgreSQL server running for `npm run test:pg`, until `--stop`, or ten hours without a run.
import { rm, stat, writeFile } from 'node:fs/promises';
import { startPostgres } from '../../packages/workshop/src/services/postgres.ts';

const [stateFile] = process.argv.slice(2) as [string];
const workingDay = 10 * 3_600_000;

const server = await startPostgres();
await writeFile(stateFile, JSON.stringify({ pid: process.pid, url: server.url }), { mode: 0o600 });

const end = async (): Promise<void> => {
  clearInterval(watch);
  await rm(stateFile, { force: true });
  await server.stop();
};
// Each run of the tests touches the file.
const watch = setInterval(async () => {
  const { mtimeMs } = await stat(stateFile).catch(() => ({ mtimeMs: 0 }));
  if (Date.now() - mtimeMs > workingDay) await end();
}, 60_000);
process.once('SIGTERM', end);
