/** Each is a separate program. */
export const engines = {
  bare: new URL('./bare.ts', import.meta.url),
  partnerkit: new URL('./partnerkit.ts', import.meta.url),
  'graphile-worker': new URL('./graphile-worker.ts', import.meta.url),
  'pg-boss': new URL('./pg-boss.ts', import.meta.url),
  BullMQ: new URL('./bullmq.ts', import.meta.url),
} as const;
