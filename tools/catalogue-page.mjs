#!/usr/bin/env node
// Writes docs/reference/catalogue.md from the tables of the code; --print prints it instead.
import { writeFileSync } from 'node:fs';
import { cataloguePage } from './docs/catalogue-page.mjs';

if (process.argv.includes('--print')) process.stdout.write(cataloguePage());
else writeFileSync(new URL('../docs/reference/catalogue.md', import.meta.url), cataloguePage());
