#!/usr/bin/env node
/** The command line: `npx @partnerkit/cli`. */
import { run } from './run.ts';

// The reader may close the pipe early, as `head` does.
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE') throw cause;
});
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  stdout: process.stdout,
  stderr: process.stderr,
  interrupted: new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
    // The terminal was closed.
    process.once('SIGHUP', resolve);
  }),
});
