// Follows the links from page to page.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The anchor of a heading, as GitHub and the site make it. */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const anchorsOf = (text) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));

/** The broken links of `pages`, a map from file to text: they lead to no file, or to no heading. */
export const brokenLinks = (root, pages) =>
  [...pages].flatMap(([file, text]) =>
    [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([whole, path, anchor]) => {
        const target = path === '' ? file : join(dirname(file), path);
        if (!existsSync(join(root, target))) return [`${file}: ${whole.slice(1)} leads to no file.`];
        const there = pages.get(target);
        const fine = anchor === undefined || there === undefined || anchorsOf(there).includes(anchor);
        return fine ? [] : [`${file}: ${whole.slice(1)} leads to no heading.`];
      },
    ),
  );
