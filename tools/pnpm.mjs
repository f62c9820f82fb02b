#!/usr/bin/env node
// Runs the pnpm that package.json pins, on a machine that may have nothing but Node.js and npm.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const args = process.argv.slice(2);

const started = (process.env.npm_config_user_agent ?? '').split(' ')[0]?.replace('/', '@');
const entry = process.env.npm_execpath;
const ownPnpm = entry && (/\.[cm]?js$/.test(entry) ? [process.execPath, entry] : [entry]);
const pnpm = started === packageManager && ownPnpm ? ownPnpm : ['npx', '--yes', '--loglevel=error', packageManager];

const [command, ...rest] = [...pnpm, ...args];
const result = spawnSync(command, rest, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
if (result.error) console.error(`Could not start ${packageManager}: ${result.error.message}`);
process.exit(result.status ?? 1);
