import { readFile, writeFile } from 'node:fs/promises';

/**
 * The packages that a notice names: `[{ name: 'neverthrow', version: '8.2.0' }, …]`.
 * @param {string} notice
 */
const noticed = (notice) =>
  [...notice.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*)$/gm)].map(([, name, version]) => ({
    name,
    version,
  }));

/**
 * Adds bundled packages to a bill of materials (CycloneDX), which names the dependencies only.
 * @param {string} bill a file
 * @param {string} notice
 */
export const addBundled = async (bill, notice) => {
  const read = JSON.parse(await readFile(bill, 'utf8'));
  const components = noticed(notice).map(({ name, version }) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return { type: 'library', name, version, purl, 'bom-ref': purl };
  });
  await writeFile(
    bill,
    `${JSON.stringify({ ...read, components: [...(read.components ?? []), ...components] }, null, 2)}\n`,
  );
};
