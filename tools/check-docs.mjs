#!/usr/bin/env node
// Compiles each TypeScript snippet of the documentation as strictly as the code. Runs the snippets marked `run`, walks
// through the pages with a walk, checks the links, and compares numbers with the code. Prints each problem with its
// place. With files, only their snippets: `check:docs README.md docs/start/packages.md`.
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileDecorators, decoratorOptions } from './docs/decorators.mjs';
import { importsFor } from './docs/exported.mjs';
import * as sentences from './docs/facts/index.mjs';
import { brokenLinks } from './docs/links.mjs';
import { numberFaults } from './docs/numbers.mjs';
import { runSnippets } from './docs/run.mjs';
import { skillFaults } from './docs/skills.mjs';
import { examplesOf, fencesOf, nameOf } from './docs/snippets.mjs';
import { walk } from './docs/walk.mjs';
import { openWorkshop } from './docs/workshop.mjs';
import { root } from './packages.ts';

const files = (pattern) => globSync(pattern, { cwd: root }).toSorted();
const read = (file) => readFileSync(join(root, file), 'utf8');

/** Decisions keep their numbers; the reference is generated from the code, or is the specification. */
const history = /^docs\/(decisions|reference)\//;

const pages = files('{README,CONTRIBUTING,SECURITY,docs/{*,*/*},packages/*/README,packages/*/skills/*/SKILL}.md');
const asked = process.argv.slice(2);
const isAsked = (file) => asked.length === 0 || asked.includes(file);
const fences = pages.filter(isAsked).flatMap((file) => fencesOf(file, read(file)));
const examples = files('packages/!(workshop)/src/**/*.ts')
  .filter(isAsked)
  .flatMap((file) => examplesOf(file, read(file)));
const snippets = [...fences, ...examples].filter(({ language }) => language === 'ts');
/** The tables that a page tells a host to create. */
const tables = fences.filter(({ language, marks }) => language === 'sql' && marks.includes('run'));
const programs = snippets.filter(({ marks }) => marks.includes('run'));

/** The folder of `packages/core/src/…`: `core`. */
const packageOf = (file) => file.split('/')[1];

/** Each snippet is a module with the same lines as its page. Imports of an example go before its first line. */
const moduleOf = (snippet) => {
  const imports = snippet.marks.includes('example') ? importsFor(packageOf(snippet.file), snippet.source) : '';
  return `${imports}${'\n'.repeat(snippet.line - 1)}${snippet.source}`;
};

const compile = (folder) => {
  for (const snippet of snippets) writeFileSync(join(folder, nameOf(snippet)), moduleOf(snippet));
  for (const name of ['prelude.d.ts', 'generated-prisma.d.ts'])
    copyFileSync(new URL(`docs/${name}`, import.meta.url), join(folder, name));
  const compilerOptions = {
    ...decoratorOptions,
    types: ['node'],
    noEmit: true,
    moduleDetection: 'force',
    rewriteRelativeImportExtensions: false,
    // A snippet shows how to create a value, and may leave it unused.
    noUnusedLocals: false,
    noUnusedParameters: false,
    // Hosts write process.env.DATABASE_URL.
    noPropertyAccessFromIndexSignature: false,
  };
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const manifest = createRequire(join(root, 'package.json')).resolve('@typescript/native/package.json');
  const tsc = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.tsc);
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const named = new Map(snippets.map((snippet) => [nameOf(snippet), snippet.file]));
  // One problem starts in the first column. Problems of the sources themselves belong to `typecheck`.
  return stdout.split(/\n(?=\S)/).flatMap((problem) => {
    const [, name, line, what] = /^([^(]+)\((\d+),\d+\): ([\s\S]*)/.exec(problem) ?? [
      undefined,
      undefined,
      undefined,
      problem,
    ];
    if (name === undefined) return what.trim() === '' ? [] : [what];
    return named.has(name) ? [`${named.get(name)}:${line}: ${what.trim()}`] : [];
  });
};

/** A quoted program of the examples must equal its file. */
const quoted = fences
  .filter(({ marks: [mark] }) => /^(receiver|pull|profiles\/verify)\.\w+$/.test(mark ?? ''))
  .filter(({ marks: [mark = ''], source }) => {
    const text = read(`examples/receivers/${mark}`);
    return !source.split(/\n{2,}/).every((part) => text.includes(part.trim()));
  })
  .map(({ file, line, marks: [mark] }) => `${file}:${line}: examples/receivers/${mark} says otherwise.`);

const started = performance.now();
const workshop = openWorkshop();
try {
  const texts = new Map(pages.map((file) => [file, read(file)]));
  const numbered = new Map([...texts].filter(([file]) => !history.test(file)));
  const described = [...texts].flatMap(([file, text]) => (file.endsWith('/SKILL.md') ? skillFaults(file, text) : []));
  const wrong = [
    ...brokenLinks(root, texts),
    ...described,
    ...numberFaults(numbered, sentences),
    ...quoted,
    ...compile(workshop.folder),
  ];
  // Snippets that do not compile are not run.
  compileDecorators(workshop.folder, snippets);
  const run = async () => (await Promise.all([runSnippets(workshop.folder, programs, tables), walk(fences)])).flat();
  const problems = wrong.length > 0 ? wrong : await run();
  for (const problem of problems) console.error(problem);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(
    `check-docs: ${snippets.length} snippets compiled, ${programs.length} run, ${problems.length} problems, ${seconds} s.`,
  );
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  workshop.close();
}
