import { writeFileSync } from 'node:fs';
import { CliError, writeError } from './cli-error.ts';
import { loadModule } from './load-module.ts';
import type { Output } from './output.ts';
import { specificationDocument } from './specification-document.ts';

export interface DocumentOptions {
  /** A module whose default export is the document, or a function that returns it. Absent: the specification's API. */
  readonly module: string | undefined;
  readonly out: string | undefined;
  readonly title: string;
  readonly server: string | undefined;
}

const remedy = 'Export it by default: export default kit.openApi({ title: "Partner API" });';

const importDocument = async (path: string): Promise<unknown> => {
  const exported = (await loadModule(path))['default'];
  const document = typeof exported === 'function' ? await exported() : exported;
  if (String((document as { openapi?: unknown } | undefined)?.openapi).startsWith('3.1')) return document;
  throw new CliError(`${path} exports no OpenAPI 3.1 document. ${remedy}`);
};

/** Writes an OpenAPI document to a file or to standard output. Resolves to the exit code. */
export const writeDocument = async (
  { module, out, title, server }: DocumentOptions,
  output: Output,
  print: (text: string) => void,
): Promise<number> => {
  const document =
    module === undefined
      ? specificationDocument({ title, ...(server === undefined ? {} : { servers: [{ url: server }] }) })
      : await importDocument(module);
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (out === undefined) {
    print(text);
    return 0;
  }
  try {
    writeFileSync(out, text);
  } catch (cause) {
    throw writeError(out, cause);
  }
  const bytes = Buffer.byteLength(text);
  output.result([`Wrote ${out}, ${Math.ceil(bytes / 1_024)} KiB.`], { file: out, bytes });
  return 0;
};
