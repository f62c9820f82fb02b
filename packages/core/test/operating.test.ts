import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { hour, minute } from '../src/runtime/time.ts';
import { platform } from './support/kit.ts';

const here = new URL('./', import.meta.url);
const page = readFileSync(new URL('../../../docs/operating.md', here), 'utf8');
const fences = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, source = '']) => source);

const preamble = `
import { hour, minute } from '../src/index.ts';
import { platform } from './support/kit.ts';
const { kit } = platform();
const [accountId, eventId, endpointId, deliveryId] = ['a', 'b', 'c', 'd'] as const;
const show = (...told: readonly unknown[]): void => void told;
const page = (told: string): void => void told;
`;

test('every example of the page for operators compiles', () => {
  const config = fileURLToPath(new URL('../../../tsconfig.json', here));
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const parsed = ts.getParsedCommandLineOfConfigFile(config, {}, host);
  const sources = new Map(
    fences.map((source, index) => [fileURLToPath(new URL(`operating-${index}.ts`, here)), `${preamble}${source}`]),
  );
  const options: ts.CompilerOptions = {
    ...parsed?.options,
    noUnusedLocals: false,
    rewriteRelativeImportExtensions: false,
  };
  const compiler = ts.createCompilerHost(options);
  const { readFile, fileExists } = compiler;
  compiler.readFile = (file) => sources.get(file) ?? readFile(file);
  compiler.fileExists = (file) => sources.has(file) || fileExists(file);
  const program = ts.createProgram([...sources.keys()], options, compiler);
  const problems = [...sources.keys()].flatMap((name) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
  expect(problems).toEqual([]);
  expect(fences).toHaveLength(7);
}, 120_000);

test('every example of the page for operators runs', async () => {
  const { kit } = platform();
  const accountId = 'acc_a';
  const { endpoint } = (
    await kit.endpoints.create(accountId, { url: 'https://partner.example/', events: ['payed'] })
  )._unsafeUnwrap();
  const published = { accountId, objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } } as const;
  const { eventId } = await kit.events.publish(published, { tx: 'new' });
  await kit.worker().drain();
  const [delivery] = (await kit.deliveries.list(accountId))._unsafeUnwrap().items;
  const told: unknown[] = [];
  const scope = {
    kit,
    hour,
    minute,
    accountId,
    eventId,
    endpointId: endpoint.id,
    deliveryId: delivery?.id,
    show: (...words: readonly unknown[]) => told.push(...words),
    page: (words: string) => told.push(words),
  };
  const Run = (async () => {}).constructor as new (
    ...source: readonly string[]
  ) => (...values: readonly unknown[]) => Promise<void>;
  for (const source of fences)
    await new Run(...Object.keys(scope), `{${stripTypeScriptTypes(source)}\n}`)(...Object.values(scope));
  expect(told).toEqual(expect.arrayContaining(['It arrived', 'It is due:', delivery?.id]));
});
