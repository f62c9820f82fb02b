import { describe, test } from 'vitest';
import { assembleKit } from '../../../core/src/kit/create-partnerkit.ts';
import { engine } from '../../../core/src/webhooks/worker/engine.ts';
import { brokenAnnounced } from './broken-announced.ts';
import { brokenClocks } from './broken-clocks.ts';
import { brokenEngines } from './broken-engine.ts';
import { brokenPausing } from './broken-sending.ts';
import { brokenStorage, brokenStores } from './broken-stores.ts';
import { brokenTurns } from './broken-turns.ts';
import { expectToBeFound } from './expect-to-be-found.ts';

describe('the laws find what is wrong with the engine', () => {
  test.each([...brokenEngines, ...brokenAnnounced, ...brokenTurns, ...brokenPausing])('$how', async (fault) => {
    const broken = { ...engine, ...fault.break(engine) };
    await expectToBeFound(fault, { createKit: (options) => assembleKit(options, broken) });
  });
});

describe('the laws find what is wrong with a storage', () => {
  test.each(brokenStores)('$how', async (broken) => {
    await expectToBeFound(broken, { storage: brokenStorage(broken) });
  });
});

describe('the laws find what is wrong with a clock', () => {
  test.each(brokenClocks)('$how', async (broken) => {
    await expectToBeFound(broken, { clock: broken.clock });
  });
});
