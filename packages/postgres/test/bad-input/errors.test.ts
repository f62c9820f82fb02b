import { expect, test } from 'vitest';
import { explained } from '../../src/database/errors.ts';

/** An error as drivers throw it. */
const ofServer = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  ['42P05', 'prepared statement "pk_1" already exists'],
  ['26000', 'prepared statement "pk_1" does not exist'],
])('%s, which a transaction pooler causes, names the options of the driver', (code, message) => {
  const cause = ofServer(code, message);
  expect(explained(cause)).toMatchObject({
    code,
    cause,
    message: expect.stringMatching(/^partnerkit: a transaction pooler .*\{ prepare: false, listen: false \}/),
  });
});

test('an error without a known remedy stays as it is', () => {
  const cause = ofServer('23505', 'duplicate key value');
  expect(explained(cause)).toBe(cause);
});
