#!/usr/bin/env node
// What types alone can tell: dropped Results, plans that never run, secrets that are compared byte by byte, comments
// that say nothing.
import { relative } from 'node:path';
import ts from 'typescript';
import { modulesOf, readPackages, root } from './packages.ts';
import { droppedResults } from './typed/dropped-results.mjs';
import { silentComments } from './typed/silent-comments.ts';
import { undelegatedPlans } from './typed/undelegated-plans.mjs';
import { unsafeComparisons } from './typed/unsafe-comparisons.mjs';

const config = ts.getParsedCommandLineOfConfigFile(
  'tsconfig.json',
  {},
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: console.error },
);
const program = ts.createProgram(config.fileNames, config.options);
const checker = program.getTypeChecker();
const sources = program
  .getSourceFiles()
  .filter(({ fileName }) => !fileName.includes('/node_modules/') && !/\.d\.ts$|\.test-d\.ts$/.test(fileName));

const entries = readPackages()
  .flatMap(modulesOf)
  .flatMap(({ file }) => program.getSourceFile(`${root}${file}`) ?? []);

const faults = [
  ...droppedResults(checker, sources).map((node) => [node, 'drops a Result']),
  ...undelegatedPlans(checker, sources).map((node) => [node, 'calls a plan without yield*']),
  ...unsafeComparisons(checker, sources).map((node) => [node, 'compares a secret, use equalInConstantTime']),
  ...silentComments(checker, sources, entries).map(({ node }) => [node, 'has a comment that says nothing']),
];
for (const [node, what] of faults) {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  console.error(`${relative(process.cwd(), source.fileName)}:${line + 1} ${what}: ${node.getText().slice(0, 80)}`);
}
console.log(`typed-code: ${sources.length} files, ${faults.length} faults.`);
process.exitCode = faults.length > 0 ? 1 : 0;
