import { undiciSender } from '@partnerkit/node/undici';
import { Client } from 'undici';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
});

const refusal = /^undiciSender: this runtime replaces undici .* Use httpsSender from @partnerkit\/node;/;

test('on Bun, undiciSender throws at once and names the sender to use', () => {
  vi.stubGlobal('process', { ...process, versions: { ...process.versions, bun: '1.4.5' } });
  expect(() => undiciSender()).toThrow(refusal);
});

test('undiciSender throws wherever clients of undici cannot dispatch', () => {
  const { dispatch } = Client.prototype;
  Object.defineProperty(Client.prototype, 'dispatch', { value: undefined, configurable: true, writable: true });
  try {
    expect(() => undiciSender()).toThrow(refusal);
  } finally {
    Object.assign(Client.prototype, { dispatch });
  }
});
