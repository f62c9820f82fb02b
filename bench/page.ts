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

const head = '| groups | date, machine and versions |\n| --- | --- |';
/** A row for each run: its groups, then its description. */
const runRow = /^\| (?<groups>`.+`) \| (?<run>.+) \|$/;

/** The table of runs, in which these groups now belong to this run. */
export const withRun = (table: string, groups: readonly string[], run: string): string => {
  const runOf = new Map<string, string>();
  for (const line of table.split('\n')) {
    const found = runRow.exec(line)?.groups;
    for (const [, group = ''] of found?.['groups']?.matchAll(/`([^`]+)`/g) ?? [])
      runOf.set(group, found?.['run'] ?? '');
  }
  for (const group of groups) runOf.set(group, run);
  const groupsOf = (one: string): string =>
    [...runOf].flatMap(([group, its]) => (its === one ? `\`${group}\`` : [])).join(', ');
  return [head, ...[...new Set(runOf.values())].map((one) => `| ${groupsOf(one)} | ${one} |`)].join('\n');
};
