#!/usr/bin/env node
/** The command line: `npx @partnerkit/conformance`. */
import { fileURLToPath } from 'node:url';
import { runChild } from './prove/processes/child.ts';
import { run } from './prove/run.ts';

const [first, task = ''] = process.argv.slice(2);
if (first === 'child') await runChild(JSON.parse(task));
else
  process.exitCode = await run(process.argv.slice(2), {
    command: fileURLToPath(import.meta.url),
    print: (text) => console.log(text),
  });
