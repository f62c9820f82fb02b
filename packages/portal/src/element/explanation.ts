import type { Texts } from './i18n.ts';
import type { Attempt, Explanation, Portal } from './portal.ts';

type Outcome = Attempt | NonNullable<Extract<Explanation, { deliveryId: string }>['last']>;

/** What became of an attempt, in words. @internal */
export const outcomeText = ({ t, find }: Texts, outcome: Outcome): string =>
  outcome.kind === 'answered'
    ? t('outcome.answered', { status: String(outcome.status) })
    : find('outcome', outcome.reason, outcome.reason);

/** What the owner of a receiver can do after an outcome. Empty after a success. @internal */
export const adviceFor = (
  { texts: { t, duration }, session }: Pick<Portal, 'texts' | 'session'>,
  outcome: Outcome,
): string => {
  if (outcome.kind === 'failed')
    switch (outcome.reason) {
      case 'timeout':
        return t('advice.timeout', { time: duration(session.attemptTimeoutMs) });
      case 'tls':
        return t('advice.tls');
      case 'tls_certificate_expired':
      case 'tls_certificate_incomplete':
        return t('advice.certificate');
      case 'tls_certificate_name':
        return t('advice.certificate-name');
      case 'tls_certificate_self_signed':
      case 'tls_certificate_untrusted':
        return t('advice.certificate-authority');
      case 'tls_client_certificate':
        return t('advice.client-certificate');
      case 'tls_version':
        return t('advice.tls-version');
      case 'tls_application_protocol':
        return t('advice.application-protocol');
      case 'tls_missing':
        return t('advice.tls-missing');
      case 'http_incomplete':
      case 'http_invalid_header':
      case 'http_invalid_length':
      case 'http_invalid_line_end':
      case 'http_protocol_error':
        return t('advice.malformed');
      case 'http_headers_too_large':
        return t('advice.headers');
      case 'http_continue':
        return t('advice.continue');
      case 'dns':
      case 'forbidden_address':
        return t('advice.address');
      case 'connect':
      case 'reset':
        return t('advice.connect');
      default:
        return '';
    }
  const { status } = outcome;
  if (status < 300) return '';
  if (status < 400) return t('advice.redirect');
  if (status === 401 || status === 403) return t('advice.refused');
  if (status === 404 || status === 405) return t('advice.missing');
  if (status === 410) return t('advice.gone');
  if (status === 429) return t('advice.busy');
  return status < 500 ? t('advice.rejected') : t('advice.broken');
};

/** What became of an event for an endpoint, in a sentence that says what to do. @internal */
export const explanationText = (texts: Texts, explanation: Explanation): string => {
  const { t, dateTime, relative } = texts;
  const { kind } = explanation;
  const last = 'last' in explanation && explanation.last ? outcomeText(texts, explanation.last) : '';
  const because = last === '' ? '' : ` ${t('explain.last', { last })}`;
  switch (kind) {
    case 'delivered':
      return t('explain.delivered', { at: dateTime(explanation.at) });
    case 'exhausted':
      return `${t('explain.exhausted', { count: explanation.attempts, at: dateTime(explanation.at) })}${because}`;
    case 'waiting':
      return `${t(explanation.attempts === 0 && last === '' ? 'explain.first' : 'explain.waiting', { due: relative(explanation.dueAt) })}${because}`;
    case 'paused':
      return `${t('explain.paused', { until: dateTime(explanation.until) })}${because}`;
    case 'sending_paused':
      return `${t('explain.sending_paused', { since: dateTime(explanation.since) })}${because}`;
    case 'held':
      return t(`explain.held-${explanation.by}`, { since: dateTime(explanation.since) });
    case 'expired':
      return t(`explain.expired-${explanation.reason}`, { at: dateTime(explanation.at) });
    case 'for_another':
    case 'not_dispatched_yet':
    case 'not_propagated_yet':
    case 'children_not_included':
    case 'forgotten':
    case 'not_pulled_yet':
    case 'pulled':
      return t(`explain.${kind}`);
    case 'not_subscribed':
      return t('explain.not_subscribed', { events: texts.list(explanation.events) });
    case 'disabled_then':
      return t('explain.disabled_then', { since: dateTime(explanation.since) });
    case 'created_later':
    case 'deleted_before':
      return t(`explain.${kind}`, { at: dateTime(explanation.at) });
  }
};
