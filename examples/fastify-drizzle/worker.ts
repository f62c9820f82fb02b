import { kit, pool } from './kit.ts';

const worker = kit.worker();
worker.start();
console.log('working');

const stop = async (): Promise<void> => {
  // Waits for what is in flight, and hands its accounts to the other workers.
  await worker.stop();
  await pool.end();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
