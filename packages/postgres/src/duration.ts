import type { DurationMs } from '@partnerkit/core';

/** Core's entry of hosts has this constant. An adapter does not load that entry. */
export const day: DurationMs = 86_400_000;
