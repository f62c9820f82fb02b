#!/usr/bin/env node
// Runs the pnpm version of package.json, on a machine with only Node.js and npm.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const given = process.argv.slice(2);
// `pnpm run x -- y` hands `--` to the script, where `npm run x -- y` does not.
const separator = given[0] === 'run' ? given.indexOf('--') : -1;
const args = given.filter((_, index) => index !== separator);

if (args[0] === 'run' && !existsSync(new URL('../node_modules/.bin/vitest', import.meta.url)))
  console.error('Installing the packages first, once: about a minute.');

const started = (process.env.npm_config_user_agent ?? '').split(' ')[0]?.replace('/', '@');
const entry = process.env.npm_execpath;
const ownPnpm = entry && (/\.[cm]?js$/.test(entry) ? [process.execPath, entry] : [entry]);
const pnpm = started === packageManager && ownPnpm ? ownPnpm : ['npx', '--yes', '--loglevel=error', packageManager];

const [command, ...rest] = [...pnpm, ...args];
const windows = process.platform === 'win32';
// A separate process group: npm, npx and their shells do not forward signals, so the whole group is ended.
const child = spawn(command, rest, { cwd: root, stdio: 'inherit', shell: windows, detached: !windows });
const end = (signal) => {
  try {
    if (windows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
// The shell of npm dies of a signal without forwarding it.
const parent = process.ppid;
const watch = setInterval(() => process.ppid !== parent && end('SIGTERM'), 500);

child.on('error', (error) => {
  clearInterval(watch);
  console.error(`Could not start ${packageManager}: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  clearInterval(watch);
  process.exitCode = code ?? (signal ? 1 : 0);
  // `--silent` also hides errors.
  if (process.exitCode !== 0 && !existsSync(new URL('../node_modules/.bin/vitest', import.meta.url))) {
    console.error(`The packages could not be installed; "npx ${packageManager} install" tells why.`);
  }
});
