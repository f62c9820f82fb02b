#!/usr/bin/env node
// Writes docs/bad-input.md from the cases of the suites: the same list is what the tests send.
import { writeFileSync } from 'node:fs';
import { badInputPage } from '../packages/testing/src/bad-input/page.ts';

writeFileSync(new URL('../docs/bad-input.md', import.meta.url), badInputPage());
