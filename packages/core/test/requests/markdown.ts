/** The cells of a row of a table, its name first. */
export type Row = readonly [name: string, ...cells: readonly string[]];

export const code = (text: string): string => `\`${text}\``;
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A paragraph in lines of at most 120 columns. */
const wrapped = (text: string): string => text.replace(/(.{1,120})(?: |$)/g, '$1\n').trimEnd();

/** Makes the tables of a page. A row that an earlier table has in the same way is named, not repeated. */
export const createTables = (...heads: readonly string[]): ((heading: string, rows: readonly Row[]) => string) => {
  const earlier = new Map<string, string>();
  return (heading, rows) => {
    const known = Map.groupBy(rows, (each) => earlier.get(each.join()));
    const shown = known.get(undefined) ?? [];
    for (const each of shown) earlier.set(each.join(), heading.toLowerCase());
    const table = [heads, heads.map(() => '---'), ...shown].map(line).join('\n');
    const same = [...known].flatMap(([where, found]) => {
      if (where === undefined) return [];
      const names = found.map(([name]) => name.replace(/<br>.*/, '')).join(', ');
      return [wrapped(`Like ${where}: ${names}.`)];
    });
    return [...(shown.length > 0 ? [table] : []), ...same].join('\n\n');
  };
};
