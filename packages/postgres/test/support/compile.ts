import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = new URL('../../', import.meta.url);

/** What the compiler says about sources, as if they were files of this package. */
export const problemsOf = (sources: readonly string[]): readonly string[] => {
  const config = fileURLToPath(new URL('../../tsconfig.json', root));
  const parsed = ts.getParsedCommandLineOfConfigFile(
    config,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  );
  const files = new Map(sources.map((source, index) => [fileURLToPath(new URL(`source-${index}.ts`, root)), source]));
  const compiled: ts.CompilerOptions = {
    ...parsed?.options,
    noPropertyAccessFromIndexSignature: false,
    noUnusedLocals: false,
    // What was generated lies elsewhere.
    rewriteRelativeImportExtensions: false,
  };
  const host = ts.createCompilerHost(compiled);
  const { readFile, fileExists } = host;
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.fileExists = (file) => files.has(file) || fileExists(file);
  const program = ts.createProgram([...files.keys()], compiled, host);
  return [...files.keys()].flatMap((name) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(name)).map(({ messageText, file, start = 0 }) => {
      const line = file?.text.slice(0, start).split('\n').pop();
      return `${ts.flattenDiagnosticMessageText(messageText, '\n')} After: ${line}`;
    }),
  );
};
