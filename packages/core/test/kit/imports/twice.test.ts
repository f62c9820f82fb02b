import { test } from 'vitest';
import { propertyRuns } from '../../../../../tools/tests/effort.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { assertTwiceEqualsOnce, type Gate } from './twice.ts';

const through = <T extends object>(gate: Gate, port: T): T =>
  new Proxy(port, {
    get: (target, name) => {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function' || !/^(insert|find)/.test(String(name))) return method;
      return (...args: readonly unknown[]) => gate(() => method.apply(target, args));
    },
  });

test('assertTwiceEqualsOnce: on rows in memory', () =>
  assertTwiceEqualsOnce(async (gate) => {
    const storage = memoryStorage();
    return {
      ...storage,
      clients: through(gate, storage.clients),
      endpoints: through(gate, storage.endpoints),
    } as never;
  }, propertyRuns(40)));
