import { expect, test } from 'vitest';
import { machinesLack } from '../../src/machines/index.ts';

test('what is missing is named by its Debian package, once', () => {
  const needs = { 'no-such-program': 'first-package', '/no/such/library.so': 'other-package', absent: 'first-package' };
  expect(machinesLack(needs)).toMatch(/^apt-get install (.* )?first-package other-package$/);
});
