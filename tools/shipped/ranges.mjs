/** The version of a package with which the workspace tests this one. */
export const testedWith = ({ manifest }, peer) => manifest.devDependencies?.[peer];

const optional = ({ manifest }, peer) => manifest.peerDependenciesMeta?.[peer]?.optional === true;

/** Every peer of another project: `[{ packed, peer, range, optional }, …]`. */
export const foreignPeers = (packages) =>
  packages.flatMap((packed) =>
    Object.entries(packed.manifest.peerDependencies ?? {})
      .filter(([peer]) => !peer.startsWith('@partnerkit/'))
      .map(([peer, range]) => ({ packed, peer, range, optional: optional(packed, peer) })),
  );

/**
 * Peer ranges accept the tested versions, and our packages accept each other as packed.
 * @param {readonly import('./tarballs.mjs').Packed[]} packages
 * @param {{ satisfies(version: string, range: string): boolean }} semver
 * @returns {readonly string[]}
 */
export const rangeFaults = (packages, semver) => {
  const versions = new Map(packages.map(({ name, manifest }) => [name, manifest.version]));
  const ours = packages.flatMap(({ name, manifest }) =>
    Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
      .filter(([other, range]) => versions.has(other) && !semver.satisfies(versions.get(other), range))
      .map(([other, range]) => `${name} asks for ${other} ${range}, and ${versions.get(other)} is packed`),
  );
  const theirs = foreignPeers(packages).flatMap(({ packed, peer, range }) => {
    const tested = testedWith(packed, peer);
    if (!tested) return [`${packed.name} has the peer ${peer}, and is tested with none`];
    return semver.satisfies(tested, range)
      ? []
      : [`${packed.name} is tested with ${peer} ${tested}, and asks for ${range}`];
  });
  return [...ours, ...theirs];
};
