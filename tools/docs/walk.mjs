// Follows a page like a reader: writes its files, starts its programs, runs its commands, and compares their output
// with the page. `…` matches anything.
//
// | fence              | meaning                                                                            |
// |--------------------|------------------------------------------------------------------------------------|
// | `bash install`     | commands that install; left out where every package is there already               |
// | `ts host.ts`       | a file                                                                             |
// | `bash serve`       | a program that keeps running in a terminal of its own, until it prints "listening" |
// | `bash walk`        | commands beside it, in one shell                                                   |
// | `… stop:host.ts`   | before the fence, Ctrl+C ends the program of that file                             |
// | `console`          | output of the commands before it                                                   |
// | `console host.ts`  | output of the program of that file                                                 |
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { startPostgres } from '../../packages/workshop/src/services/index.ts';
import { inOrder, skills } from './skills.mjs';
import { openWorkshop } from './workshop.mjs';

/** More than the lease of a worker that a page stops. */
const timeout = 60_000;
/** The ports of pages: a walk uses free ones, so that it meets no other program. */
const ports = ['3000', '3001'];

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(String(port)));
    });
  });

const patternOf = (shown) =>
  new RegExp(
    shown
      .trim()
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('…', '[\\s\\S]*?'),
  );

/** A child process whose output can be awaited. */
const follow = (command, { cwd, env }) => {
  const child = spawn('bash', command === undefined ? ['-s'] : ['-c', command], {
    cwd,
    detached: true,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const watchers = new Set();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
      for (const look of watchers) look();
    });
  }
  const ended = new Promise((resolve) => child.once('close', resolve));
  const signal = (name) => {
    try {
      process.kill(-child.pid, name);
    } catch {
      // It has ended.
    }
  };
  return {
    type: (text) => child.stdin.write(text),
    clear: () => {
      output = '';
    },
    /** Resolves to the output, once it matches `pattern`. */
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!pattern.test(output)) return;
          clearTimeout(timer);
          watchers.delete(look);
          resolve(output);
        };
        const timer = setTimeout(() => {
          watchers.delete(look);
          reject(new Error(`shows no ${pattern}, but:\n${output}`));
        }, timeout);
        watchers.add(look);
        look();
      }),
    /** Ctrl+C. */
    interrupt: () => {
      signal('SIGINT');
      return ended;
    },
    kill: () => signal('SIGKILL'),
  };
};

/** The file that a program was started with. */
const fileOf = (command) => /\S+\.ts/.exec(command)?.[0];

/**
 * Follows one page.
 * @param {readonly { file: string, line: number, language: string, marks: readonly string[], source: string }[]} fences
 * @param {{ folder: string, env: Readonly<Record<string, string>>, installs: boolean }} options a folder to begin in,
 *   and whether commands that install are run
 * @returns {Promise<readonly string[]>} the problems
 */
export const walkPage = async (fences, { folder, env, installs }) => {
  const free = new Map();
  for (const port of ports) free.set(port, await freePort());
  const moved = (text) => text.replaceAll(new RegExp(`\\b(${ports.join('|')})\\b`, 'g'), (port) => free.get(port));
  const shell = follow(undefined, { cwd: folder, env });
  const programs = new Map();
  let cwd = folder;
  let shown = '';

  const typeIn = async (text) => {
    shell.clear();
    shell.type(`${text}\necho "ended with $? in $PWD"\n`);
    shown = await shell.until(/ended with \d+ in .*\n/);
    const [, code, place] = /ended with (\d+) in (.*)\n/.exec(shown);
    if (code !== '0') throw new Error(`the commands failed:\n${shown}`);
    cwd = place;
  };

  const step = async ({ language, marks, source }) => {
    const [mark] = marks;
    const text = moved(source);
    for (const each of marks.filter((word) => word.startsWith('stop:')))
      await programs.get(each.slice('stop:'.length)).interrupt();
    if (language === 'ts' && mark?.endsWith('.ts')) writeFileSync(join(cwd, mark), text);
    if (language === 'bash' && mark === 'serve') {
      const program = follow(text, { cwd, env });
      programs.set(fileOf(text), program);
      await program.until(/^listening.*\n/m);
    }
    if (language === 'bash' && (mark === 'walk' || (mark === 'install' && installs))) await typeIn(text);
    if (language === 'console') {
      if (mark !== undefined) await programs.get(mark).until(patternOf(text));
      else if (!patternOf(text).test(shown)) throw new Error(`it shows something else:\n${shown}`);
    }
  };

  try {
    for (const fence of fences) {
      try {
        await step(fence);
      } catch (cause) {
        return [`${fence.file}:${fence.line}: ${cause.message}`];
      }
    }
    return [];
  } finally {
    for (const each of [shell, ...programs.values()]) each.kill();
  }
};

/** Follows each page with commands, on the sources, and returns the problems. The skills are one walk. */
export const walk = async (fences) => {
  const pages = Map.groupBy(inOrder(fences), ({ file }) => (skills.includes(file) ? 'skills' : file));
  const walks = [...pages.values()].filter((page) => page.some(({ marks }) => marks.includes('walk')));
  const problems = [];
  for (const page of walks) {
    const { folder, close } = openWorkshop();
    const database = page.some(({ source }) => source.includes('DATABASE_URL')) ? await startPostgres() : undefined;
    try {
      const env = { NODE_OPTIONS: '--conditions=source', ...(database && { DATABASE_URL: database.url }) };
      problems.push(...(await walkPage(page, { folder, env, installs: false })));
    } finally {
      await database?.stop();
      close();
    }
  }
  return problems;
};
