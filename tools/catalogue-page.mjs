#!/usr/bin/env node
// Writes docs/catalogue.md from the tables that the code runs on; with --print it writes nothing, and prints it.
import { writeFileSync } from 'node:fs';
import { cataloguePage } from './docs/catalogue-page.mjs';

if (process.argv.includes('--print')) process.stdout.write(cataloguePage());
else writeFileSync(new URL('../docs/catalogue.md', import.meta.url), cataloguePage());
