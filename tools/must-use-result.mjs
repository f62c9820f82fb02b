#!/usr/bin/env node
// An unused Result is an unseen error, and an undelegated plan never runs. Fails on statements whose value is a Result
// of neverthrow, and on calls of plans without `yield*`.
import { relative } from 'node:path';
import ts from 'typescript';
import { undelegatedPlans } from './delegated-plans.mjs';

const resultNames = new Set(['Result', 'ResultAsync', 'Ok', 'Err']);
const config = ts.getParsedCommandLineOfConfigFile(
  'tsconfig.json',
  {},
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: console.error },
);
const program = ts.createProgram(config.fileNames, config.options);
const checker = program.getTypeChecker();

const isResult = (type) => {
  if (type.isUnion()) return type.types.some(isResult);
  const declaration = (type.aliasSymbol ?? type.symbol)?.declarations?.[0];
  return (
    declaration !== undefined &&
    resultNames.has((type.aliasSymbol ?? type.symbol).name) &&
    declaration.getSourceFile().fileName.includes('/neverthrow/')
  );
};

const dropped = [];
const visit = (node) => {
  if (ts.isExpressionStatement(node)) {
    const value = ts.isVoidExpression(node.expression) ? node.expression.expression : node.expression;
    const assigned = ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken;
    if (!assigned && isResult(checker.getTypeAtLocation(value))) dropped.push(node);
  }
  ts.forEachChild(node, visit);
};

const sources = program
  .getSourceFiles()
  .filter(({ fileName }) => !fileName.includes('/node_modules/') && !/\.d\.ts$|\.test-d\.ts$/.test(fileName));
for (const source of sources) visit(source);
const tell = (node, what) => {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  const file = relative(process.cwd(), source.fileName);
  console.error(`${file}:${line + 1} ${what}: ${node.getText().slice(0, 80)}`);
};
for (const node of dropped) tell(node, 'drops a Result');
const undelegated = undelegatedPlans(program);
for (const node of undelegated) tell(node, 'calls a plan without yield*');
console.log(
  `must-use-result: ${sources.length} files, ${dropped.length} dropped, ${undelegated.length} plans without yield*.`,
);
process.exitCode = dropped.length + undelegated.length > 0 ? 1 : 0;
