import type { Distribution, Figure, Goal, Line, Ratio, Result } from './measure.ts';

const significant = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });
const fixed = (ratio: number): string => ratio.toFixed(2);

/** A value with its unit. */
const quantity = (value: number, unit: Figure['unit']): string => {
  if (Number.isNaN(value)) return 'unknown';
  if (unit !== '/s') return `${significant(value)} ${unit}`;
  return value < 10_000 ? `${significant(value)}/s` : `${significant(value / 1_000)}k/s`;
};

/** CPU per unit: of the processes, plus that of the servers. */
const cpuOf = ({ cpu, serverCpu }: Result): string =>
  `${[cpu, ...(serverCpu === undefined ? [] : [serverCpu])].map(significant).join(' + ')} µs`;

const resultText = (result: Result, unit: Figure['unit']): string =>
  unit === '/s' ? `${quantity(result.value, unit)}, ${cpuOf(result)}` : quantity(result.value, unit);

const ratioText = ({ median, lowest, highest }: Ratio): string =>
  `${fixed(median)} (${fixed(lowest)} to ${fixed(highest)})`;

const goalText = ({ kind, limit }: Goal, unit?: string): string =>
  `${kind} ${Number(limit.toFixed(3))}${unit === undefined ? '' : ` ${unit}`}`;

/** The columns of a figure. */
const cellsOf = ({ name, unit, ours, other, goal, holds }: Figure): readonly string[] => {
  const limit = goal ? goalText(goal, other ? undefined : unit) : '';
  return [
    name,
    other?.name ?? '',
    resultText(ours, unit),
    other ? resultText(other, unit) : '',
    other ? ratioText(other.ratio) : '',
    holds ? limit : `${limit} (**missed**)`,
  ];
};

const range = (values: readonly number[], format: (value: number) => string): string => {
  const ends = [Math.min(...values), Math.max(...values)].map(format);
  return [...new Set(ends)].join(' to ');
};

/** A series as one row: the lowest and the highest of its figures. */
const seriesCells = (name: string, figures: readonly Figure[]): readonly string[] => {
  const [{ unit, other, goal } = figures[0] as Figure] = figures;
  const side = (results: readonly Result[]): string => {
    const cpu = results.map((result) => result.cpu + (result.serverCpu ?? 0));
    return `${range(
      results.map(({ value }) => value),
      (value) => quantity(value, unit),
    )}, ${range(cpu, significant)} µs`;
  };
  const others = figures.flatMap((figure) => figure.other ?? []);
  const missed = figures.filter(({ holds }) => !holds).length;
  const limit = goal ? goalText(goal) : '';
  return [
    name,
    other?.name ?? '',
    side(figures.map(({ ours }) => ours)),
    side(others),
    range(
      others.map(({ ratio }) => ratio.median),
      fixed,
    ),
    missed > 0 ? `${limit} (**missed** by ${missed} of ${figures.length})` : limit,
  ];
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(row).join('\n');

const figureTable = (figures: readonly Figure[]): string => {
  const rows = new Map<string, readonly Figure[]>();
  for (const [place, figure] of figures.entries()) {
    const key = figure.series ?? `row ${place}`;
    rows.set(key, [...(rows.get(key) ?? []), figure]);
  }
  return table(
    ['measurement', 'compared with', 'partnerkit', 'the other', 'ratio', 'goal'],
    [...rows].map(([name, all]) => (all[0]?.series === undefined ? cellsOf(all[0] as Figure) : seriesCells(name, all))),
  );
};

const distributionTable = ({ name, sides }: Distribution): string =>
  table(
    [`${name}, in ms`, 'p10', 'p50', 'p99'],
    Object.entries(sides).map(([side, { p10, p50, p99 }]) => [side, ...[p10, p50, p99].map(fixed)]),
  );

/** The tables of the page. */
export const tablesOf = (lines: readonly Line[]): string => {
  const figures = lines.filter((line) => line.kind === 'figure');
  const distributions = lines.filter((line) => line.kind === 'distribution');
  return [...(figures.length > 0 ? [figureTable(figures)] : []), ...distributions.map(distributionTable)].join('\n\n');
};

/** A line for a terminal. */
export const printed = (line: Line): string => {
  if (line.kind === 'distribution') {
    const sides = Object.entries(line.sides).map(
      ([side, { p10, p50, p99 }]) => `${side} ${[p10, p50, p99].map(fixed).join(', ')} ms`,
    );
    return `${line.name}, p10, p50, p99: ${sides.join('; ')}`;
  }
  const [name, other, ours, others, ratio] = cellsOf(line);
  const of = line.other ? `${name}, of ${other}` : name;
  const values = line.other ? `${ours} of ${others}: ${ratio}` : ours;
  const unit = line.other ? undefined : line.unit;
  const verdict = line.goal ? `(goal ${goalText(line.goal, unit)}) ${line.holds ? 'holds' : 'MISSED'}` : '(no goal)';
  return `${of}: ${values} ${verdict}`;
};
