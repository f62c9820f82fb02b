import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { assertDeliversPayment } from './plot.ts';

const file = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

test('a payment that the server marks as paid arrives from the worker, signed, without the IBAN', () =>
  assertDeliversPayment({ migrate: file('migrate.ts'), server: file('server.ts'), worker: file('worker.ts') }));
