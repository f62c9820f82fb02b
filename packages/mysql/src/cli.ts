#!/usr/bin/env node
/** The command line: `npx @partnerkit/mysql`. */
import { run } from './cli/run.ts';

// The reader may close the pipe early, as `head` does.
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE') throw cause;
});
process.exitCode = await run(process.argv.slice(2), process.env);
