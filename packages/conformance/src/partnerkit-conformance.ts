#!/usr/bin/env node
/** The command line: `npx @partnerkit/conformance`. */
import { fileURLToPath } from 'node:url';
import { runChild } from './prove/processes/child.ts';
import { run } from './prove/run.ts';

if (process.argv[2] === 'child') await runChild();
else
  process.exitCode = await run(process.argv.slice(2), {
    command: fileURLToPath(import.meta.url),
    print: (text) => console.log(text),
  });
