import { defineObject } from '@partnerkit/core';
import { z } from 'zod';

/** The fields that the specification shows (§2.3), all published. */
const shape = {
  schema: z.object({
    id: z.string(),
    name: z.string().optional(),
    status: z.string().optional(),
    depositAmount: z.number().optional(),
    recipient: z.object({ email: z.string() }).optional(),
  }),
  groups: { shown: ['name', 'status', 'depositAmount', 'recipient.email'] },
  events: { default: ['shown'] },
} as const;

/** One definition for each object name. */
export const hostObjects = [
  defineObject('RequestPayment', shape),
  defineObject('RequestSecurityDeposit', shape),
  defineObject('ModelRequestPayment', shape),
  defineObject('ModelRequestSecurityDeposit', shape),
] as const;
