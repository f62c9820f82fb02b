#!/usr/bin/env node
// Writes docs/reference/bad-input.md from the cases of the suites, which the tests send as well.
import { writeFileSync } from 'node:fs';
import { badInputPage } from '../packages/workshop/src/bad-input/page.ts';

writeFileSync(new URL('../docs/reference/bad-input.md', import.meta.url), badInputPage());
