import type { TestProject } from 'vitest/node';
// Vitest resolves this file without the condition `source`.
import { sharedRedis } from '../../../workshop/src/services/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a server that all tests share: each keeps to its own keys. */
    readonly redis: string;
  }
}

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  console.error('Starting Redis; apt-get installs it where it is missing.');
  const { url, stop } = await sharedRedis({ install: true });
  provide('redis', url);
  return stop;
};
