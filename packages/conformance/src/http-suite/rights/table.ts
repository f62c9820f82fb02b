/** The right of each operation of the partner API, below the account. Written by hand. */
const operations = {
  none: 'GET /me, GET /children',
  'bookings:read': 'GET /bookings',
  'bookings:write': 'POST /bookings',
  'requests:read': `
    GET /payment-requests, GET /payment-requests/:id, GET /payment-requests/:id/events,
    GET /payment-requests/:id/transactions,
    GET /security-deposits, GET /security-deposits/:id, GET /security-deposits/:id/events,
    GET /security-deposits/:id/transactions,
    GET /transactions, GET /transactions/sums`,
  'requests:write': `
    POST /payment-requests, PATCH /payment-requests/:id, POST /payment-requests/:id/cancel,
    POST /payment-requests/:id/give-evidence, POST /payment-requests/batch, POST /payment-requests/batch/cancel,
    POST /payment-requests/:id/simulate/set-payment-url, POST /payment-requests/:id/simulate/send,
    POST /payment-requests/:id/simulate/remind, POST /payment-requests/:id/simulate/succeed,
    POST /payment-requests/:id/simulate/succeed-transaction, POST /payment-requests/:id/simulate/fail-transaction,
    POST /payment-requests/:id/simulate/cancel-transaction, POST /payment-requests/:id/simulate/return-transaction,
    POST /payment-requests/:id/simulate/update-chargeback, POST /payment-requests/:id/simulate/refund,
    POST /security-deposits, PATCH /security-deposits/:id, POST /security-deposits/:id/cancel,
    POST /security-deposits/:id/check-in, POST /security-deposits/:id/check-out, POST /security-deposits/:id/finish,
    POST /security-deposits/:id/give-evidence, POST /security-deposits/batch, POST /security-deposits/batch/cancel,
    POST /security-deposits/:id/simulate/set-payment-url, POST /security-deposits/:id/simulate/send,
    POST /security-deposits/:id/simulate/remind, POST /security-deposits/:id/simulate/register-user,
    POST /security-deposits/:id/simulate/succeed-transaction, POST /security-deposits/:id/simulate/fail-transaction,
    POST /security-deposits/:id/simulate/cancel-transaction, POST /security-deposits/:id/simulate/return-transaction,
    POST /security-deposits/:id/simulate/update-chargeback, POST /security-deposits/:id/simulate/succeed-deposit,
    POST /security-deposits/:id/simulate/set-term, POST /security-deposits/:id/simulate/warn-of-end,
    POST /security-deposits/:id/simulate/extend, POST /security-deposits/:id/simulate/litigate,
    POST /security-deposits/:id/simulate/resume, POST /security-deposits/:id/simulate/fail`,
  'cash_outs:read': `
    GET /cash-outs, GET /cash-outs/:id, GET /cash-outs/:id/events,
    GET /security-deposits/:depositId/cash-outs, GET /security-deposits/:depositId/cash-outs/:id,
    GET /security-deposits/:depositId/cash-outs/:id/events`,
  'cash_outs:write': `
    POST /evidence, POST /security-deposits/:depositId/cash-outs, PATCH /security-deposits/:depositId/cash-outs/:id,
    POST /security-deposits/:depositId/cash-outs/:id/cancel, POST /security-deposits/:depositId/cash-outs/:id/offer,
    POST /security-deposits/:depositId/cash-outs/:id/deny,
    POST /security-deposits/:depositId/cash-outs/:id/simulate/claim,
    POST /security-deposits/:depositId/cash-outs/:id/simulate/accept,
    POST /security-deposits/:depositId/cash-outs/:id/simulate/settle,
    POST /security-deposits/:depositId/cash-outs/:id/simulate/warn-of-silence,
    POST /security-deposits/:depositId/cash-outs/:id/simulate/pause-deadline,
    POST /security-deposits/:depositId/cash-outs/:id/simulate/resume-deadline,
    POST /security-deposits/:depositId/cash-outs/:id/simulate/escrow,
    POST /security-deposits/:depositId/cash-outs/:id/simulate/complete,
    POST /security-deposits/:depositId/cash-outs/:id/simulate/collect,
    POST /security-deposits/:depositId/cash-outs/:id/simulate/mark-irrecoverable,
    POST /security-deposits/:depositId/cash-outs/:id/simulate/refund,
    POST /security-deposits/:depositId/cash-outs/:id/simulate/fail`,
  'templates:read': `
    GET /payment-templates, GET /payment-templates/:id, GET /payment-templates/:id/events,
    GET /security-deposit-templates, GET /security-deposit-templates/:id, GET /security-deposit-templates/:id/events`,
  'templates:write': `
    POST /payment-templates, PATCH /payment-templates/:id, DELETE /payment-templates/:id,
    POST /security-deposit-templates, PATCH /security-deposit-templates/:id, DELETE /security-deposit-templates/:id`,
  'webhooks:read': `
    GET /webhooks, GET /webhooks/:endpointId, POST /webhooks/check, GET /webhook-catalogue, GET /webhook-statistics,
    GET /webhooks/:endpointId/statistics, GET /webhook-deliveries, GET /webhook-deliveries/:deliveryId/attempts,
    GET /webhook-backlog`,
  'webhooks:write': `
    POST /webhooks, PATCH /webhooks/:endpointId, DELETE /webhooks/:endpointId, POST /webhooks/:endpointId/enable,
    POST /webhooks/:endpointId/resume, POST /webhooks/:endpointId/disable, POST /webhooks/:endpointId/secret/prepare,
    POST /webhooks/:endpointId/secret/activate, POST /webhooks/:endpointId/secret/cancel`,
  'events:read': `
    GET /webhooks/:endpointId/events, GET /webhook-events, GET /webhook-events/:eventId,
    GET /webhook-events/:eventId/explanations/:endpointId`,
  'events:write': `
    POST /webhooks/test, POST /webhooks/:endpointId/test, POST /webhooks/:endpointId/replay,
    POST /webhooks/:endpointId/recover, POST /webhook-deliveries/:deliveryId/send-again`,
} as const;

/** The right that an operation needs. */
export type TabledRight = keyof typeof operations;

/** An operation, and the right that it needs. */
export interface TabledOperation {
  readonly method: string;
  /** Below the account. */
  readonly path: string;
  readonly right: TabledRight;
}

export const rightsTable: readonly TabledOperation[] = Object.entries(operations).flatMap(([right, rows]) =>
  rows
    .split(',')
    .map((row) => row.trim().split(' '))
    .map(([method = '', path = '']) => ({ method, path, right: right as TabledRight })),
);
