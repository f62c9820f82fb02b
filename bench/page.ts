const begin = (name: string): string => `<!-- bench:${name} -->`;
const end = (name: string): string => `<!-- end of bench:${name} -->`;

/** The content of a generated part of the page. */
export const readPart = (page: string, name: string): string => {
  const [start, stop] = [page.indexOf(begin(name)), page.indexOf(end(name))];
  if (start < 0 || stop < start)
    throw new Error(`The page has no part "${name}": write ${begin(name)} and ${end(name)}.`);
  return page.slice(start + begin(name).length, stop).trim();
};

/** The page with new content in one generated part. */
export const writePart = (page: string, name: string, content: string): string => {
  readPart(page, name);
  const [before, after] = [page.slice(0, page.indexOf(begin(name))), page.slice(page.indexOf(end(name)))];
  return `${before}${begin(name)}\n\n${content}\n\n${after}`;
};

/** One line for each run: its groups, then date, machine and versions. */
const runLine = /^- (?<groups>`[^:]+`): (?<run>.+)$/;

/** The list of runs, in which these groups now belong to this run. */
export const withRun = (list: string, groups: readonly string[], run: string): string => {
  const runOf = new Map<string, string>();
  for (const line of list.split('\n')) {
    const found = runLine.exec(line)?.groups;
    for (const [, group = ''] of found?.['groups']?.matchAll(/`([^`]+)`/g) ?? [])
      runOf.set(group, found?.['run'] ?? '');
  }
  for (const group of groups) runOf.set(group, run);
  const runs = new Set(runOf.values());
  const named = (text: string): string =>
    [...runOf].flatMap(([group, its]) => (its === text ? `\`${group}\`` : [])).join(', ');
  return [...runs].map((text) => `- ${named(text)}: ${text}`).join('\n');
};
