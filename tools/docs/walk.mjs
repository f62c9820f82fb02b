// Follows a page like a reader: writes its files, starts its programs, runs its commands, and compares their output
// with the page. `ts host.ts` is a file, `bash serve` a program that keeps running, `bash walk` a command beside it,
// `console` its output, and `console host.ts` the output of the program of that file. `…` matches anything.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { openWorkshop } from './workshop.mjs';

/** More than the lease of a worker that a page kills. */
const timeout = 60_000;

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
const follow = (command, folder) => {
  const child = spawn('bash', command === undefined ? ['-s'] : ['-c', command], {
    cwd: folder,
    detached: true,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      NODE_OPTIONS: '--conditions=source',
    },
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
    stop: () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    },
  };
};

const walkPage = async (fences) => {
  const ports = new Map([
    ['3000', await freePort()],
    ['3443', await freePort()],
  ]);
  const moved = (text) => text.replaceAll(/\b(3000|3443)\b/g, (port) => ports.get(port));
  const { folder, close } = openWorkshop();
  const shell = follow(undefined, folder);
  const programs = new Map();
  const exported = [];
  let shown = '';

  const step = async ({ language, marks: [mark], source }) => {
    const text = moved(source);
    if (language === 'ts' && mark?.endsWith('.ts')) writeFileSync(join(folder, mark), text);
    if (language === 'bash' && mark === 'serve') {
      const program = follow([...exported, text].join('\n'), folder);
      programs.set(/\S+\.ts/.exec(text)?.[0], program);
      const lines = (await program.until(/^listening.*\n/m)).split('\n').filter((line) => line.startsWith('export '));
      exported.push(...lines);
      shell.type(lines.map((line) => `${line}\n`).join(''));
    }
    if (language === 'bash' && mark === 'walk') {
      shell.clear();
      shell.type(`${text}\necho "ended with $?"\n`);
      shown = await shell.until(/ended with \d+\n/);
      if (!shown.endsWith('ended with 0\n')) throw new Error(`the commands failed:\n${shown}`);
    }
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
    for (const each of [shell, ...programs.values()]) each.stop();
    close();
  }
};

/** Follows each page with commands, and returns the problems. */
export const walk = async (fences) => {
  const pages = Map.groupBy(fences, ({ file }) => file);
  const walks = [...pages.values()].filter((page) => page.some(({ marks }) => marks.includes('walk')));
  const problems = [];
  for (const page of walks) problems.push(...(await walkPage(page)));
  return problems;
};
