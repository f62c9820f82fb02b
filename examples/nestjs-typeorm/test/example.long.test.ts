import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { test } from 'vitest';
import { assertDeliversPayment } from '../../fastify-drizzle/test/plot.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const built = (name: string): string => `${folder}dist/${name}`;

/** As `npm run build`, which also checks the types. */
const build = (): void => {
  const { compilerOptions } = ts.readConfigFile(`${folder}tsconfig.json`, ts.sys.readFile).config;
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, folder);
  mkdirSync(built(''), { recursive: true });
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.ts'))) {
    const { outputText } = ts.transpileModule(readFileSync(`${folder}${name}`, 'utf8'), {
      compilerOptions: { ...options, module: ts.ModuleKind.ESNext },
    });
    writeFileSync(built(name.replace(/ts$/, 'js')), outputText);
  }
};

test('a payment that a controller marks as paid arrives, signed, without the IBAN', async () => {
  build();
  await assertDeliversPayment({ migrate: built('migrate.js'), server: built('main.js') });
});
