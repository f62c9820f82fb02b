import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../packages.ts';

const folder = join(root, '.changeset');
const kinds = { major: 'Breaking', minor: 'New', patch: 'Fixed' };

/** The pre-release mode, if it is on: released changesets stay pending for the final release. */
export const preRelease = async () => {
  const file = join(folder, 'pre.json');
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
};

/** `---\n"@partnerkit/core": minor\n---\n\nText.` as `{ kind: 'minor', packages: ['core'], text: 'Text.' }` */
const parse = (source) => {
  const [, head, text] = /^---\r?\n([\s\S]*?)^---\r?\n([\s\S]*)$/m.exec(source) ?? [];
  if (head === undefined) throw new Error(`No changeset: ${source.slice(0, 80)}`);
  const bumps = [...head.matchAll(/^["']?@partnerkit\/([\w-]+)["']?:\s*(major|minor|patch)\s*$/gm)];
  const kind = Object.keys(kinds).find((each) => bumps.some(([, , bump]) => bump === each));
  return { kind, packages: bumps.map(([, name]) => name), text: text.trim() };
};

/**
 * The changesets of the next release.
 * @returns {Promise<readonly { kind: string, packages: readonly string[], text: string }[]>}
 */
export const waitingChangesets = async () => {
  const used = (await preRelease())?.changesets ?? [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md') && name !== 'README.md').sort();
  const fresh = names.filter((name) => !used.includes(name.slice(0, -'.md'.length)));
  const all = await Promise.all(fresh.map(async (name) => parse(await readFile(join(folder, name), 'utf8'))));
  return all.filter(({ kind }) => kind !== undefined);
};

const entry = (all, { packages, text }) => {
  const who = packages.length === all ? 'all packages' : packages.join(', ');
  return `- **${who}**: ${text.replace(/\n(?=.)/g, '\n  ')}`;
};

/** A changelog with one more release, newest first. `all` is the number of packages. */
export const withRelease = (changelog, { version, all, changesets }) => {
  const sections = Object.entries(kinds).flatMap(([kind, title]) => {
    const entries = changesets.filter((each) => each.kind === kind).map((each) => entry(all, each));
    return entries.length === 0 ? [] : [`### ${title}\n\n${entries.join('\n')}\n`];
  });
  const release = `## ${version}\n\n${sections.join('\n')}`;
  const at = changelog.search(/^## /m);
  if (at < 0) return `${changelog.trimEnd()}\n\n${release}`;
  return `${changelog.slice(0, at)}${release}\n${changelog.slice(at)}`;
};
