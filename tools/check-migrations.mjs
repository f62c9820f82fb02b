#!/usr/bin/env node
// Released migrations are frozen: compares the sources with tools/released-migrations.json, which a release writes.
import { migrations } from '../packages/postgres/src/migrations/index.ts';
import { migrationFaults, pinned } from './shipped/migrations.mjs';

const faults = await migrationFaults(migrations);
for (const fault of faults) console.error(`FAIL ${fault}`);
const { length } = await pinned();
console.log(`check-migrations: ${length} released, ${migrations.length - length} may still be changed.`);
process.exitCode = faults.length > 0 ? 1 : 0;
