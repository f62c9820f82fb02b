import { kit, pool, prisma } from './kit.ts';

const worker = kit.worker();
worker.start();
console.log('working');

const stop = async (): Promise<void> => {
  // Waits for what is in flight, and hands its accounts to the other workers.
  await worker.stop();
  await prisma.$disconnect();
  await pool.end();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
