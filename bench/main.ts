import { dedup } from './dedup/group.ts';
import { deliver } from './deliver/group.ts';
import { http } from './http/group.ts';
import type { Figure } from './measure.ts';
import { postgres } from './postgres/group.ts';
import { publish } from './publish.ts';
import { requests } from './requests/group.ts';
import { signature } from './signature/group.ts';
import { start } from './start/group.ts';

// npm run bench                  every group, as a table
// npm run bench -- signature     one group
// npm run bench -- --json        one JSON line a figure

/** The figures of a group, in order. */
type Group = () => AsyncIterable<Figure>;

const groups: Readonly<Record<string, Group>> = { start, signature, http, publish, deliver, dedup, postgres, requests };

const words = process.argv.slice(2);
const json = words.includes('--json');
const names = words.filter((word) => !word.startsWith('--'));
const unknown = names.find((name) => !Object.hasOwn(groups, name));
if (unknown !== undefined) {
  console.error(`There is no group "${unknown}". Groups: ${Object.keys(groups).join(', ')}.`);
  process.exit(2);
}

const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;

for (const [name, run] of Object.entries(groups)) {
  if (names.length > 0 && !names.includes(name)) continue;
  for await (const figure of run()) {
    if (json) console.log(JSON.stringify(figure));
    else {
      const sides = `${perSecond(figure.value).padStart(12)} of ${perSecond(figure.limit).padStart(12)}`;
      const goal =
        figure.goal === 0
          ? '(no goal)'
          : `(goal ${Number(figure.goal.toFixed(3))}) ${figure.holds ? 'holds' : 'MISSED'}`;
      const verdict = `${figure.ratio.toFixed(2)} ${goal}`;
      console.log(`${figure.name.padEnd(48)} ${sides}   ${verdict}`);
    }
    if (!figure.holds) process.exitCode = 1;
  }
}
