#!/usr/bin/env node
// An unused Result is an unseen error. Fails on statements whose value is a Result of neverthrow.
import { relative } from 'node:path';
import ts from 'typescript';

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
for (const node of dropped) {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  console.error(
    `${relative(process.cwd(), source.fileName)}:${line + 1} drops a Result: ${node.getText().slice(0, 80)}`,
  );
}
console.log(`must-use-result: ${sources.length} files, ${dropped.length} dropped.`);
process.exitCode = dropped.length > 0 ? 1 : 0;
