#!/usr/bin/env node
// A function whose locals call each other in circles, or are used before they are defined, cannot be read from top to
// bottom. Fails on such locals of the functions of the worker. A function that calls itself is a loop, and allowed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const folder = 'packages/core/src/webhooks/worker';
const files = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(folder, name));

/** The functions of a file that have locals, with their names. */
const functionsOf = (source) => {
  const found = [];
  const visit = (node) => {
    const isFunction = ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node);
    if (isFunction && node.body && ts.isBlock(node.body)) {
      const name = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
      found.push({ name: name?.getText() ?? 'a function', body: node.body });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** The locals of a function body, each with the nodes of its initial value. */
const localsOf = (body) => {
  const locals = new Map();
  for (const statement of body.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name) locals.set(statement.name.text, statement);
    if (!ts.isVariableStatement(statement)) continue;
    for (const declaration of statement.declarationList.declarations)
      if (ts.isIdentifier(declaration.name)) locals.set(declaration.name.text, declaration);
  }
  return locals;
};

const isName = (node) =>
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
  (ts.isPropertySignature(node.parent) && node.parent.name === node) ||
  ts.isBindingElement(node.parent) ||
  (ts.isParameter(node.parent) && node.parent.name === node);

/** The names that the parameters of a function hide. */
const parametersOf = (node) => {
  const names = [];
  const add = (name) => {
    if (ts.isIdentifier(name)) names.push(name.text);
    else for (const element of name.elements) if (element.name) add(element.name);
  };
  if (ts.isFunctionLike(node)) for (const parameter of node.parameters) add(parameter.name);
  return names;
};

/** The other locals that a local refers to. */
const usesOf = (name, declaration, locals) => {
  const uses = new Set();
  const visit = (node, hidden) => {
    const parameters = parametersOf(node);
    const unseen = parameters.length > 0 ? [...hidden, ...parameters] : hidden;
    if (ts.isIdentifier(node) && locals.has(node.text) && !unseen.includes(node.text) && !isName(node))
      uses.add(node.text);
    ts.forEachChild(node, (child) => visit(child, unseen));
  };
  ts.forEachChild(declaration, (child) => visit(child, [name]));
  return uses;
};

/** The names that can be reached from `start`. */
const reachable = (start, uses) => {
  const reached = new Set();
  const next = [...uses.get(start)];
  while (next.length > 0) {
    const name = next.pop();
    if (reached.has(name)) continue;
    reached.add(name);
    next.push(...uses.get(name));
  }
  return reached;
};

const problems = [];
for (const file of files) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  for (const { name, body } of functionsOf(source)) {
    const locals = localsOf(body);
    const uses = new Map([...locals].map(([local, declaration]) => [local, usesOf(local, declaration, locals)]));
    for (const [local, declaration] of locals) {
      for (const used of uses.get(local))
        if (locals.get(used).pos > declaration.pos)
          problems.push(`${file}: ${name}: ${local} uses ${used} before it is defined.`);
      if (reachable(local, uses).has(local)) problems.push(`${file}: ${name}: ${local} calls itself through others.`);
    }
  }
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
