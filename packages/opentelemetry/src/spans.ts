import {
  type Attributes,
  type HrTime,
  isSpanContextValid,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';
import type { Observer, Signal } from '@partnerkit/core';
import { errorType, messaging } from './attributes.ts';
import { contextBelow, traceParent } from './trace-parent.ts';

type SignalOf<K extends Signal['kind']> = Extract<Signal, { readonly kind: K }>;

export interface Spans {
  traceContext(): string | undefined;
  readonly observe: Observer;
}

/** Maximum number of open publish spans. Without `observe`, no signal ends a span, and it must not stay for ever. */
const maxOpen = 10_000;

/** The SDK takes a plain number from before the start of the process for a value of `performance.now()`. */
const hrTime = (epochMs: number): HrTime => {
  const seconds = Math.floor(epochMs / 1_000);
  return [seconds, Math.round((epochMs - seconds * 1_000) * 1_000_000)];
};

interface FinishedSpan {
  readonly kind: SpanKind;
  readonly traceContext: string | undefined;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly attributes: Attributes;
}

export const createSpans = (tracer: Tracer): Spans => {
  const open = new Map<string, Span>();

  const end = (span: Span, attributes: Attributes, at?: HrTime): void => {
    span.setAttributes(attributes);
    if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(at);
  };

  /** Writes a span that has ended. An event without a trace context gets none. */
  const write = (name: string, { kind, traceContext, startedAt, durationMs, attributes }: FinishedSpan): void => {
    const below = traceContext === undefined ? undefined : contextBelow(traceContext);
    if (!below) return;
    end(
      tracer.startSpan(name, { kind, startTime: hrTime(startedAt) }, below),
      attributes,
      hrTime(startedAt + durationMs),
    );
  };

  const published = ({ traceContext = '', ...signal }: SignalOf<'published'>): void => {
    const span = open.get(traceContext);
    if (!span) return;
    open.delete(traceContext);
    const { accountId, eventId, objectName, type, outcome } = signal;
    span.updateName(`publish ${objectName}`);
    end(span, {
      'messaging.destination.name': objectName,
      'messaging.message.id': eventId,
      'partnerkit.account.id': accountId,
      'partnerkit.event.type': type,
      'partnerkit.outcome': outcome,
      ...(outcome === 'stored' || outcome === 'replayed' ? {} : { 'error.type': outcome }),
    });
  };

  const dispatched = ({ traced, startedAt, durationMs, events }: SignalOf<'dispatched'>): void => {
    for (const { accountId, eventId, traceContext } of traced) {
      const attributes = {
        ...messaging('dispatch', 'process'),
        'messaging.message.id': eventId,
        'messaging.batch.message_count': events,
        'partnerkit.account.id': accountId,
      };
      write('dispatch', { kind: SpanKind.CONSUMER, traceContext, startedAt, durationMs, attributes });
    }
  };

  const attempted = (signal: SignalOf<'attempt'>): void => {
    const { traceContext, startedAt, durationMs, outcome, attempt, next } = signal;
    const attributes = {
      ...messaging('deliver', 'send'),
      'messaging.message.id': signal.eventId,
      'http.request.method': 'POST',
      ...(attempt > 1 ? { 'http.request.resend_count': attempt - 1 } : {}),
      ...(typeof outcome === 'number' ? { 'http.response.status_code': outcome } : {}),
      ...errorType(signal),
      'partnerkit.account.id': signal.accountId,
      'partnerkit.endpoint.id': signal.endpointId,
      'partnerkit.delivery.id': signal.deliveryId,
      'partnerkit.outcome': next,
    };
    write('deliver', { kind: SpanKind.CLIENT, traceContext, startedAt, durationMs, attributes });
  };

  const handled = (signal: SignalOf<'handler_attempt'>): void => {
    const { traceContext, startedAt, durationMs } = signal;
    const attributes = {
      ...messaging('handle', 'process'),
      'messaging.message.id': signal.eventId,
      ...errorType(signal),
      'partnerkit.account.id': signal.accountId,
      'partnerkit.handler': signal.handler,
      'partnerkit.outcome': signal.next,
    };
    write(`handle ${signal.handler}`, { kind: SpanKind.CONSUMER, traceContext, startedAt, durationMs, attributes });
  };

  return {
    traceContext: () => {
      const attributes = messaging('publish', 'send');
      const span = tracer.startSpan('publish', { kind: SpanKind.PRODUCER, attributes });
      const context = span.spanContext();
      if (!isSpanContextValid(context)) return undefined;
      const text = traceParent(context);
      // The context of an unrecorded span is passed on, so that its children are not recorded either.
      if (!span.isRecording()) return text;
      open.set(text, span);
      const [oldest] = open.size > maxOpen ? open.keys() : [];
      if (oldest !== undefined) open.delete(oldest);
      return text;
    },
    observe: (signal) => {
      if (signal.kind === 'published') published(signal);
      else if (signal.kind === 'dispatched') dispatched(signal);
      else if (signal.kind === 'attempt') attempted(signal);
      else if (signal.kind === 'handler_attempt') handled(signal);
    },
  };
};
