import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { assertDeliversPayment } from '../../fastify-drizzle/test/plot.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const file = (name: string): string => `${folder}${name}`;
const tsc = fileURLToPath(new URL('../../../node_modules/@typescript/native/bin/tsc', import.meta.url));

/** Without network: what Prisma would fetch only migrates. */
const offline = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };

test('a payment that the server marks as paid arrives from the worker, signed, without the IBAN', async () => {
  const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js');
  const generate = [prisma, 'generate', '--schema', 'schema.prisma'];
  execFileSync(process.execPath, generate, { cwd: folder, env: { ...process.env, ...offline } });
  // With the client that Prisma has generated.
  execFileSync(tsc, ['-p', folder]);
  await assertDeliversPayment({ migrate: file('migrate.ts'), server: file('server.ts'), worker: file('worker.ts') });
});
