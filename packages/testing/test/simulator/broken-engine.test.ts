import { describe, test } from 'vitest';
import { assembleKit } from '../../../core/src/kit/create-partnerkit.ts';
import { engine } from '../../../core/src/worker/engine.ts';
import { brokenAnnounced } from './broken-announced.ts';
import { brokenEngines } from './broken-engine.ts';
import { brokenTurns } from './broken-turns.ts';
import { expectToBeFound } from './expect-to-be-found.ts';

describe('the laws find what is wrong with the engine', () => {
  test.each([...brokenEngines, ...brokenAnnounced, ...brokenTurns])('$how', async (fault) => {
    const broken = { ...engine, ...fault.break(engine) };
    await expectToBeFound(fault, { createKit: (options) => assembleKit(options, broken) });
  });
});
