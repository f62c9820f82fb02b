import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const schemaOf = (provider: string): string => `
generator client {
  provider            = "prisma-client"
  output              = "./client"
  importFileExtension = "ts"
}
datasource db {
  provider = "${provider}"
}
model Payment {
  id   String  @id
  paid Boolean
  @@map("payments")
}
`;

/**
 * Generates a client of Prisma as hosts do, in a folder that finds what a package of ours finds, and is gone with this
 * process. Without network: what Prisma would fetch only migrates. Resolves to the file to import.
 */
export const generatePrisma = async (provider: 'postgresql' | 'mysql', ofPackage: string): Promise<string> => {
  const packages = fileURLToPath(new URL(`../../packages/${ofPackage}/node_modules`, import.meta.url));
  const command = createRequire(`${packages}/`).resolve('prisma/build/index.js');
  const folder = await mkdtemp(join(tmpdir(), 'partnerkit-prisma-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await symlink(packages, join(folder, 'node_modules'), 'junction');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'schema.prisma'), schemaOf(provider));
  const env = {
    ...process.env,
    HOME: folder,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    JITI_FS_CACHE: 'false',
  };
  await promisify(execFile)(process.execPath, [command, 'generate', '--schema', 'schema.prisma'], { cwd: folder, env });
  return join(folder, 'client', 'client.ts');
};
