import { expect, test } from 'vitest';
import { redisClientChangeFeed, redisInbox, redisRateLimiter, redisSeenKeys } from '../src/index.ts';

const adapters = { redisClientChangeFeed, redisInbox, redisRateLimiter, redisSeenKeys };

test.each(Object.entries(adapters))('%s names a wrong option and its remedy', (name, make) => {
  const made = (options: object) => () => make({} as never, options);
  expect(made({ prefx: 'a' })).toThrow(`${name}: there is no option 'prefx'; did you mean 'prefix'?`);
  expect(made({ prefix: 1 })).toThrow(`${name}: the option prefix must be a text.`);
  expect(made({ timeout: 0 })).toThrow(`${name}: the option timeout must be a whole number from 1.`);
});
