#!/usr/bin/env node
// Writes docs/reference/standards.md from the rows of the suite, which the tests send as well.
import { writeFileSync } from 'node:fs';
import { standardsPage } from '../packages/workshop/src/standards/page.ts';

writeFileSync(new URL('../docs/reference/standards.md', import.meta.url), standardsPage());
