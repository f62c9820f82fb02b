import { parseArgs } from 'node:util';

const help = `Usage: npm start -- [options]

The main job of a platform, end to end, over real sockets: log in, publish, deliver, retry. Then it keeps serving.
Its data is in the folder .quickstart: started again, it goes on where it ended, in whatever way.

  --data <folder>  keep the data there instead; delete the folder to begin again
  --memory         keep nothing
  --postgres       run it on a real PostgreSQL, which it brings along; keep nothing
  --once           end after the tour, with 0 only if every step held; without --data, keep nothing
  --requests       show the hire of a car with a deposit instead, a webhook a step
  --own            the same with objects of the platform's own: leases, invoices, tenants
  --json           print one JSON line with addresses and credentials, and keep serving for other programs
  --help           print this

PORT chooses the port; without it, the port of the last start is used again.`;

const flag = { type: 'boolean', default: false } as const;

/** Parses the command line. Prints the usage and exits for `--help` (code 0) and for unknown arguments (code 2). */
export const readFlags = (args: readonly string[]) => {
  const options = {
    ...{ memory: flag, postgres: flag, once: flag, requests: flag, own: flag, json: flag, help: flag },
    data: { type: 'string' },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const databases = [
      values.data !== undefined && '--data',
      values.memory && '--memory',
      values.postgres && '--postgres',
    ];
    const named = databases.filter((name) => name !== false);
    if (named.length > 1) throw new Error(`${named.join(' and ')}: name one database.`);
    if (values.data === '') throw new Error('--data: name a folder.');
    if (!values.help) return values;
    console.log(help);
    process.exit(0);
  } catch (cause) {
    console.error(`${(cause as Error).message}\n\n${help}`);
    process.exit(2);
  }
};
