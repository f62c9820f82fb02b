import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

/**
 * Serves packed packages as the registry of npm does, on this machine: `npm install @partnerkit/node` of a page runs as
 * it is written. Other packages come from the registry that npm uses.
 * @param {readonly import('./tarballs.mjs').Packed[]} packages
 * @returns {Promise<{ env: Readonly<Record<string, string>>, close: () => void }>} `env` makes npm use it
 */
export const startRegistry = async (packages) => {
  const tarballOf = ({ name }) => `/${name}/-/tarball.tgz`;
  const server = createServer(async ({ url }, response) => {
    const path = decodeURIComponent(url);
    const packed = packages.find((each) => path === `/${each.name}` || path === tarballOf(each));
    if (!packed) return response.writeHead(404).end();
    const content = await readFile(packed.tarball);
    if (path === tarballOf(packed)) return response.end(content);
    const { manifest } = packed;
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    const dist = { tarball: `${origin}${tarballOf(packed)}`, integrity };
    const versions = { [manifest.version]: { ...manifest, dist } };
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ name: packed.name, 'dist-tags': { latest: manifest.version }, versions }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    env: { 'npm_config_@partnerkit:registry': `${origin}/` },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
