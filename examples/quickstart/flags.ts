import { parseArgs } from 'node:util';

const help = `Usage: npm start -- [options]

The main job of a platform, end to end, over real sockets: log in, publish, deliver, retry. Then it keeps serving.

  --once      end after the tour, with 0 only if every step held
  --postgres  run it on a real PostgreSQL, which it brings along
  --requests  show the life of a security deposit instead, a webhook a step
  --own       the same with objects of the platform's own: leases, invoices, tenants
  --json      print one JSON line with addresses and credentials, and keep serving for other programs
  --help      print this

PORT chooses the port.`;

const flag = { type: 'boolean', default: false } as const;

/** Parses the command line. Prints the usage and exits for `--help` (code 0) and for unknown arguments (code 2). */
export const readFlags = (args: readonly string[]) => {
  const options = { once: flag, postgres: flag, requests: flag, own: flag, json: flag, help: flag };
  try {
    const { values } = parseArgs({ args: [...args], options });
    if (!values.help) return values;
    console.log(help);
    process.exit(0);
  } catch (cause) {
    console.error(`${cause instanceof Error ? cause.message : cause}\n\n${help}`);
    process.exit(2);
  }
};
