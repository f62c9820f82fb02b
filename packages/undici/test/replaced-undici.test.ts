import { undiciSender } from '@partnerkit/undici';
import { Pool } from 'undici';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
});

const refusal = /^undiciSender: this runtime replaces undici .* Use httpsSender from @partnerkit\/undici\/https/;

test('on Bun, undiciSender throws at once and names the sender to use', () => {
  vi.stubGlobal('process', { ...process, versions: { ...process.versions, bun: '1.4.5' } });
  expect(() => undiciSender()).toThrow(refusal);
});

test('undiciSender throws wherever pools of undici cannot dispatch', () => {
  const { dispatch } = Pool.prototype;
  Object.defineProperty(Pool.prototype, 'dispatch', { value: undefined, configurable: true, writable: true });
  try {
    expect(() => undiciSender()).toThrow(refusal);
  } finally {
    Object.assign(Pool.prototype, { dispatch });
  }
});
