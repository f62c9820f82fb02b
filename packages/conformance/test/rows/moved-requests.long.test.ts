import { test } from 'vitest';
import { movedRequestsContract } from '../../src/contracts/index.ts';
import { rowStorageFixture } from './support.ts';

movedRequestsContract({ test, objects: 10_000, create: (settings) => rowStorageFixture(settings) });
