import { ms } from '../database/fragments.ts';
import { sql } from '../database/statement.ts';

/** An endpoint `e` as JSON. @internal */
export const endpointJson = sql`json_strip_nulls(json_build_object(
    'id', e.id, 'accountId', e.account_id, 'reference', e.reference, 'url', e.url, 'events', e.events, 'state', e.state, 'label', e.label,
    'disabledBy', case when e.state = 'disabled' and e.disabled_by = 'host' then 'host' end,
    'standardWebhooks', e.standard_webhooks, 'profile', e.profile, 'includeChildren', e.include_children, 'createdAt', ${ms('e.created_at')},
    'secret', e.secret, 'nextSecret', e.next_secret, 'activateNextAt', ${ms('e.activate_next_at')},
    'deliveryHeader', case when e.delivery_header_name is not null then json_build_object('name', e.delivery_header_name, 'value', e.delivery_header_value) end,
    'version', e.version))`;
