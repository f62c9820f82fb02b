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

/** @internal */
export interface Spans {
  traceContext(): string | undefined;
  readonly observe: Observer;
}

/** So many publishes are under way at most. One that no signal ends, because the host observes alone, must not stay for ever. */
const mostOpen = 10_000;

/** A plain number would be taken for one of `performance.now()` when it lies before the start of the process. */
const hrTime = (epochMs: number): HrTime => {
  const seconds = Math.floor(epochMs / 1_000);
  return [seconds, Math.round((epochMs - seconds * 1_000) * 1_000_000)];
};

interface FinishedSpan {
  readonly kind: SpanKind;
  readonly traceContext: string | undefined;
  readonly startedAt: number;
  readonly took: number;
  readonly attributes: Attributes;
}

/** @internal */
export const createSpans = (tracer: Tracer): Spans => {
  const open = new Map<string, Span>();

  const end = (span: Span, attributes: Attributes, at?: HrTime): void => {
    span.setAttributes(attributes);
    if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(at);
  };

  /** Of something that is over. What was published outside of any trace stays there. */
  const write = (name: string, { kind, traceContext, startedAt, took, attributes }: FinishedSpan): void => {
    const below = traceContext === undefined ? undefined : contextBelow(traceContext);
    if (!below) return;
    end(tracer.startSpan(name, { kind, startTime: hrTime(startedAt) }, below), attributes, hrTime(startedAt + took));
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

  const dispatched = ({ traced, startedAt, took, events }: SignalOf<'dispatched'>): void => {
    for (const { accountId, eventId, traceContext } of traced) {
      const attributes = {
        ...messaging('dispatch', 'process'),
        'messaging.message.id': eventId,
        'messaging.batch.message_count': events,
        'partnerkit.account.id': accountId,
      };
      write('dispatch', { kind: SpanKind.CONSUMER, traceContext, startedAt, took, attributes });
    }
  };

  const attempted = (signal: SignalOf<'attempt'>): void => {
    const { traceContext, startedAt, took, outcome, attempt, next } = signal;
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
    write('deliver', { kind: SpanKind.CLIENT, traceContext, startedAt, took, attributes });
  };

  return {
    traceContext: () => {
      const attributes = messaging('publish', 'send');
      const span = tracer.startSpan('publish', { kind: SpanKind.PRODUCER, attributes });
      const context = span.spanContext();
      if (!isSpanContextValid(context)) return undefined;
      const text = traceParent(context);
      // One that is not recorded is passed on, so that nothing below it is recorded either.
      if (!span.isRecording()) return text;
      open.set(text, span);
      const [oldest] = open.size > mostOpen ? open.keys() : [];
      if (oldest !== undefined) open.delete(oldest);
      return text;
    },
    observe: (signal) => {
      if (signal.kind === 'published') published(signal);
      else if (signal.kind === 'dispatched') dispatched(signal);
      else if (signal.kind === 'attempt') attempted(signal);
    },
  };
};
