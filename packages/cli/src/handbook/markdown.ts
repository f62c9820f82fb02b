/** A table; no rows: nothing. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  if (rows.length === 0) return '';
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
};

/** A block of code. The fence is longer than any in the text. */
export const fence = (language: string, text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text.replace(/\n$/, '')}\n${ticks}`;
};

export const code = (text: string): string => `\`${text}\``;

export const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** The parts that have content, as paragraphs. */
export const paragraphs = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('\n\n');

/** A value of YAML front matter. JSON is YAML. */
const value = (text: string | number): string => (typeof text === 'number' ? String(text) : JSON.stringify(text));

export const frontMatter = (fields: Readonly<Record<string, string | number>>): string =>
  ['---', ...Object.entries(fields).map(([name, text]) => `${name}: ${value(text)}`), '---'].join('\n');

/** A no-break space before the marks that need one in French, outside of code. */
export const withFrenchSpaces = (page: string): string =>
  page
    // linear: a fence ends, and code has no line end.
    .split(/(^`{3,}[\s\S]*?^`{3,}$|`[^`\n]*`)/m)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/ (?=[:;!?»](?:\s|$))/g, '\u00a0').replace(/« /g, '«\u00a0'),
    )
    .join('');
