#!/usr/bin/env node
// Writes the generated part of docs/reference/requests.md from the state machines of the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { requestsPage } from '../packages/core/test/requests/page.ts';

const page = new URL('../docs/reference/requests.md', import.meta.url);
writeFileSync(page, requestsPage(readFileSync(page, 'utf8')));
