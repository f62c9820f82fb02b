#!/usr/bin/env node
// An expression that reads a text again and again lets a stranger stop the process with one header. Fails on regular
// expressions of the packages that are not linear, and on those that are put together at run time. Where the text is
// short or well-formed before it is read, a comment above the expression says so: `// linear: …`.
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { whyNotLinear } from './expressions/linear.ts';

/** Test code reads no stranger's text. */
const files = globSync('packages/!(testing|conformance|workshop)/src/**/*.{ts,tsx}').filter(
  (file) => !file.endsWith('.d.ts'),
);

const problems = [];
let count = 0;
for (const file of files) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const lines = source.text.split('\n');
  const report = (node, why) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    // The comment stands above the expression, or above the statement that begins within three lines.
    const isExplained = lines.slice(Math.max(0, line - 3), line).some((text) => /\/\/ linear: ./.test(text));
    if (!isExplained) problems.push(`${file}:${line + 1} ${node.getText().slice(0, 80)} is ${why}`);
  };
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
      count += 1;
      const [, pattern, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text);
      const why = whyNotLinear({ source: pattern, flags });
      if (why !== undefined) report(node, why);
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
      count += 1;
      report(node, 'put together at run time');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
for (const problem of problems) console.error(problem);
console.log(`linear-expressions: ${count} expressions, ${problems.length} not linear.`);
process.exitCode = problems.length > 0 ? 1 : 0;
