import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fencesOf } from '../docs/snippets.mjs';
import { walkPage } from '../docs/walk.mjs';
import { root } from '../packages.ts';
import { installedIn } from './alone.mjs';
import { startRegistry } from './registry.mjs';
import { mustRun } from './run.mjs';

const records = fileURLToPath(new URL('first-steps.json', import.meta.url));
const page = 'docs/start/getting-started.md';
const glossary = 'docs/concepts/glossary.md';
/** What somebody reads who decides whether to read on. */
const readmeLimits = { words: 600, links: 20 };

const count = (text, pattern) => [...text.matchAll(pattern)].length;
const linesOf = (text) => text.split('\n').filter((line) => line.trim() !== '').length;

/** The terms of a section of the glossary, each with its other names: `[['API key', 'client'], …]`. */
const termsOf = (text, heading) => {
  const [, section] = text.split(new RegExp(`^## ${heading}$`, 'm'));
  if (section === undefined) throw new Error(`${glossary} has no heading "${heading}".`);
  const rows = section.split(/^## /m)[0].matchAll(/^\| (\*\*.+?) \|/gm);
  return [...rows].map(([, cell]) => [...cell.matchAll(/\*\*(.+?)\*\*/g)].map(([, term]) => term));
};
const uses = (text, names) => names.some((name) => new RegExp(`\\b${name}s?\\b`, 'i').test(text));

/** The nouns of a page must be those that the glossary gives a newcomer: neither more nor fewer. */
const nounFaults = (text, first, further) => {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`]*`/g, '');
  return [
    ...first.filter((names) => !uses(text, names)).map(([name]) => `${page} does not need the word "${name}" yet`),
    ...further
      .filter((names) => uses(prose, names))
      .map(([name]) => `${page} uses the word "${name}" before the first webhook; the glossary has it further on`),
  ];
};

/**
 * What a newcomer meets until the first webhook.
 * @typedef {object} Figures
 * @property {number} named packages in the command that installs
 * @property {number} packages in node_modules
 * @property {number} native modules in node_modules
 * @property {number} nouns terms of the glossary
 * @property {number} hostLines lines of host.ts, without blank ones
 * @property {number} partnerLines lines of partner.ts, without blank ones
 * @property {number} environment variables that a program reads, such as keys
 * @property {number} certificates steps of openssl
 * @property {number} pastes from one terminal into another
 */

/** The figures of the page, before it is walked. */
const figuresOf = (text, fences, first) => {
  const sourceOf = (name) => fences.find(({ marks }) => marks[0] === name).source;
  const install = fences.find(({ marks }) => marks[0] === 'install').source;
  return {
    named: /npm install (.+)/.exec(install)[1].split(' ').length,
    nouns: first.length,
    hostLines: linesOf(sourceOf('host.ts')),
    partnerLines: linesOf(sourceOf('partner.ts')),
    environment: count(text, /process\.env|\.env\b/g),
    certificates: count(text, /openssl/g),
    pastes: count(text, /\bpastes?\b/gi),
  };
};

const compare = (figures, recorded) =>
  Object.entries(figures)
    .filter(([name, figure]) => figure !== recorded[name])
    .map(([name, figure]) => `${page}: ${name} is ${figure}, and ${recorded[name]} is recorded`);

/** The README is short, its command installs, and every module that its example imports is there. */
const readmeFaults = async (folder, env) => {
  const text = await readFile(join(root, 'README.md'), 'utf8');
  const figures = { words: count(text, /\S+/g), links: count(text, /\]\(/g) };
  const fences = fencesOf('README.md', text);
  const install = fences.find(({ language, source }) => language === 'bash' && source.startsWith('npm install'));
  const example = fences.find(({ language }) => language === 'ts');
  const imports = example.source.split('\n').filter((line) => line.startsWith('import '));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'example.mjs'), imports.join('\n'));
  await mustRun('bash', ['-e', '-c', `${install.source}\nnode example.mjs`], { cwd: folder, env });
  return [
    imports.length === 0 && 'README.md: the example imports nothing',
    ...Object.entries(readmeLimits).map(
      ([name, limit]) =>
        figures[name] > limit && `README.md has ${figures[name]} ${name}, and at most ${limit} are allowed`,
    ),
  ].filter(Boolean);
};

/** `npm run try` installs what getting started needs. */
const tryFaults = async (folder) => {
  const { out } = await mustRun(process.execPath, [join(root, 'tools/try.mjs'), folder]);
  await mustRun(process.execPath, ['-e', "import('@partnerkit/node')"], { cwd: folder });
  return out.includes('Building') ? ['npm run try builds packages that are built'] : [];
};

/**
 * A newcomer's first commands, literally, in empty folders, with our tarballs in place of the registry's: getting
 * started, the README and `npm run try`. What a newcomer meets on the way must be what is recorded.
 * @param {{ folder: string, packages: readonly import('./tarballs.mjs').Packed[], record: boolean }} options
 * @returns {Promise<{ told: string, faults: readonly string[] }>}
 */
export const firstStepFaults = async ({ folder, packages, record }) => {
  const text = await readFile(join(root, page), 'utf8');
  const terms = await readFile(join(root, glossary), 'utf8');
  const fences = fencesOf(page, text);
  const [untilWebhook] = text.split("## The partner's API");
  const first = termsOf(terms, 'First steps');
  const further = termsOf(terms, 'Further terms');
  await mkdir(folder, { recursive: true });
  const { env, close } = await startRegistry(packages);
  try {
    const place = await mkdtemp(join(folder, 'empty-'));
    const started = performance.now();
    const problems = await walkPage(fences, { folder: place, env, installs: true });
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const { packages: installed, native } = await installedIn(join(place, 'partner-api'));
    const figures = { ...figuresOf(text, fences, first), packages: installed, native };
    if (record) await writeFile(records, `${JSON.stringify(figures, null, 2)}\n`);
    return {
      told: `${installed} packages, ${first.length} nouns, ${seconds} s`,
      faults: [
        ...problems,
        ...nounFaults(untilWebhook, first, further),
        ...compare(figures, JSON.parse(await readFile(records, 'utf8'))),
        ...(await readmeFaults(join(folder, 'readme'), { ...process.env, ...env })),
        ...(await tryFaults(join(folder, 'try'))),
      ],
    };
  } finally {
    close();
  }
};
