// Node.js strips types, but cannot run decorators. A snippet with decorators is compiled, as a host compiles it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { nameOf } from './snippets.mjs';

export const decoratorOptions = { experimentalDecorators: true, emitDecoratorMetadata: true };

/** Replaces snippets with decorators by JavaScript, under the names that others import. */
export const compileDecorators = (folder, snippets) => {
  for (const snippet of snippets.filter(({ source }) => /^\s*@[A-Z]\w*\(/m.test(source))) {
    const file = join(folder, nameOf(snippet));
    const compilerOptions = {
      ...decoratorOptions,
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2023,
      verbatimModuleSyntax: true,
    };
    writeFileSync(file, ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions }).outputText);
  }
};
