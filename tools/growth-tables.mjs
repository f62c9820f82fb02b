#!/usr/bin/env node
// Writes the tables of docs/operations/scale.md from the figures for one delivery on that page.
import { readFileSync, writeFileSync } from 'node:fs';
import { growthPage } from '../packages/workshop/src/growth/page.ts';

const page = new URL('../docs/operations/scale.md', import.meta.url);
writeFileSync(page, growthPage(readFileSync(page, 'utf8')));
