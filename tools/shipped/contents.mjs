import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { skills } from '../docs/skills.mjs';
import { root, targetsOf } from '../packages.ts';

const always = ['package.json', 'README.md', 'LICENSE'];

/** The skills of a package, as `skills/partnerkit/SKILL.md`. */
const skillsOf = (folder) => {
  const own = `packages/${folder}/`;
  return skills.filter((file) => file.startsWith(own)).map((file) => file.slice(own.length));
};
const withoutSource = (targets = {}) =>
  JSON.parse(JSON.stringify(targets, (key, value) => (key === 'source' ? undefined : value)));
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The declaration file of `./x.js`: `x.d.ts`. */
const declared = (file, target) =>
  /\.d\.c?ts$/.test(file) ? target.replace(/\.(c?)js$/, (_all, kind) => `.d.${kind}ts`) : target;

/** The imports of a module, without computed names. */
export const importsOf = (text) =>
  ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName, pos }) => !/^['"]\s*\+/.test(text.slice(pos + fileName.length + 1)))
    .map(({ fileName }) => fileName);

/** The modules beside one of a bundle: TypeScript takes texts in it for imports, and overlooks dynamic ones. */
const besides = (text) => [...text.matchAll(/\b(?:import\(|import|from)"(\.\/[\w-]+\.js)"/g)].map(([, name]) => name);

const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** The modules that export nothing: one imports them for what they do. Their parts beside them have effects, too. */
const effectsOf = async ({ manifest, unpacked, files }) => {
  const targets = [manifest.exports, manifest.imports].flatMap(targetsOf).map(({ target }) => target);
  const modules = [...new Set(targets)].filter(
    (target) => /\.c?js$/.test(target) && files.includes(posix.normalize(target)),
  );
  const texts = await Promise.all(modules.map((target) => readFile(join(unpacked, target), 'utf8')));
  const found = modules.filter((_target, at) => !/\bexports?\b/.test(texts[at]));
  const parts = found.flatMap((target) =>
    importsOf(texts[modules.indexOf(target)])
      .filter((name) => name.startsWith('.'))
      .map((name) => `./${posix.join(posix.dirname(target), posix.dirname(name))}/*.js`),
  );
  return [...found, ...parts];
};

const manifestFaults = async (packed) => {
  const { folder, source, manifest } = packed;
  const text = JSON.stringify({ ...manifest, scripts: {} });
  const known = { ...manifest.dependencies, ...manifest.peerDependencies };
  const effects = await effectsOf(packed);
  return [
    /"(workspace|catalog|link|file):/.test(text) && 'package.json holds a protocol that only the workspace knows',
    text.includes('"source"') && 'package.json holds the condition "source"',
    !same(withoutSource(source.exports), manifest.exports) && 'exports differ from those that are developed with',
    !same(withoutSource(source.imports), manifest.imports ?? {}) && 'imports differ from those that are developed with',
    !same(effects.length > 0 && effects, manifest.sideEffects) &&
      'sideEffects is neither false nor the modules that export nothing',
    manifest.license !== 'MIT' && 'license is not MIT',
    manifest.type !== 'module' && 'type is not "module"',
    !manifest.engines?.node && 'engines.node is missing',
    manifest.repository?.directory !== `packages/${folder}` && `repository.directory is not packages/${folder}`,
    !manifest.homepage && 'homepage is missing',
    !manifest.keywords?.length && 'keywords are missing',
    manifest.name !== '@partnerkit/core' &&
      !source.partnerkit?.isStandalone &&
      !known['@partnerkit/core'] &&
      'core is neither a peer nor a dependency',
    manifest.publishConfig?.access !== 'public' && 'publishConfig.access is not public',
  ];
};

/** All files that the exports, imports and commands reach, and the problems on the way. */
const reached = async ({ manifest, unpacked, files }) => {
  const own = new Set([
    manifest.name,
    ...Object.keys(manifest.imports ?? {}),
    ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
  ]);
  const faults = [];
  const seen = new Set();
  const contained = new Set();
  // `./dist/element/*.js`: the folder of a bundle.
  const bundles = [manifest.sideEffects || []].flat().filter((each) => each.endsWith('/*.js'));
  const isOfBundle = (file) => bundles.includes(`./${posix.dirname(file)}/*.js`);
  const visit = async (file, from) => {
    if (seen.has(file)) return;
    seen.add(file);
    if (!files.includes(file)) return faults.push(`${from} leads to ${file}, which is not there`);
    const text = await readFile(join(unpacked, file), 'utf8');
    if (text.includes(root.replace(/\/$/, ''))) faults.push(`${file} names the folder that it was built in`);
    if (/^\/\/# sourceMappingURL=/m.test(text)) faults.push(`${file} names a source map, and none is packed`);
    for (const [, name] of text.matchAll(/^\/\/ \S*\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\/\S+$/gm))
      contained.add(name);
    const imports = isOfBundle(file) ? besides(text) : importsOf(text);
    for (const fileName of file.endsWith('.json') ? [] : imports) {
      if (fileName.startsWith('.')) await visit(posix.join(posix.dirname(file), declared(file, fileName)), file);
      else if (!isBuiltin(fileName) && !own.has(packageOf(fileName)))
        faults.push(`${file} imports ${fileName}, which is neither a dependency nor a peer`);
    }
  };
  const targets = [manifest.exports, manifest.imports].flatMap(targetsOf).map(({ target }) => target);
  for (const target of [...targets, ...Object.values(manifest.bin ?? {})])
    await visit(posix.normalize(target), 'exports');
  return { seen, contained, faults };
};

const notice = 'dist/NOTICE';

/** A bundle names the packages that it contains in comments; their licences ask for a notice. */
const noticeFaults = (contained, text = '') =>
  [...contained]
    .filter((name) => !text.split('\n').some((line) => line.startsWith(`${name} `)))
    .map((name) => `contains ${name}, and no ${notice} with its licence`);

/**
 * The problems of one tarball: it must have the files of its exports, its README, its skills and the licence, and
 * nothing else.
 * @param {import('./tarballs.mjs').Packed} packed
 * @returns {Promise<readonly string[]>}
 */
export const contentFaults = async (packed) => {
  const { name, folder, manifest, unpacked, files } = packed;
  const wanted = [...always, ...skillsOf(folder)];
  const { seen, contained, faults } = await reached(packed);
  const missing = wanted.filter((file) => !files.includes(file));
  const extra = files.filter((file) => !seen.has(file) && !wanted.includes(file) && file !== notice);
  const licence = await readFile(join(root, 'LICENSE'), 'utf8');
  const read = (file) => (files.includes(file) ? readFile(join(unpacked, file), 'utf8') : undefined);
  const readme = await read('README.md');
  const found = [
    ...(await manifestFaults(packed)),
    ...faults,
    ...noticeFaults(contained, await read(notice)),
    ...missing.map((file) => `${file} is missing`),
    ...extra.map((file) => `${file} is in the tarball, and nothing leads to it`),
    (await read('LICENSE')) !== licence && 'LICENSE is another one',
    readme !== undefined && !readme.startsWith(`# ${name}\n`) && `README.md does not begin with "# ${name}"`,
    ...targetsOf(manifest.exports)
      .filter(({ path, conditions }) => !path.endsWith('.json') && !['types', 'default'].includes(conditions.at(-1)))
      .map(({ path }) => `exports["${path}"] has a condition beside types and default`),
  ];
  return found.filter(Boolean).map((fault) => `${name}: ${fault}`);
};
