#!/usr/bin/env node
// Writes the generated part of docs/requests.md from the state machines: what is documented is what runs.
import { readFileSync, writeFileSync } from 'node:fs';
import { requestsPage } from '../packages/core/test/requests/page.ts';

const page = new URL('../docs/requests.md', import.meta.url);
writeFileSync(page, requestsPage(readFileSync(page, 'utf8')));
