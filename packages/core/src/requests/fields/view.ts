import { z } from 'zod';
import { documentation } from '#documentation';

/** Seconds since 1970. @internal */
export const secondsView = z.int().register(documentation, {
  description: 'Seconds since 1970-01-01T00:00:00Z.',
  examples: [1_798_761_600],
  keywords: { minimum: 0 },
});
