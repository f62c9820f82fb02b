import { sql } from '../database/statement.ts';
import { t } from '../database/tables.ts';

/** CTE that ends the current period of the endpoints in a CTE, at `moment`. */
export const endHistory = (changed: string, moment = 'c.state_since') => sql`ended as (
    update ${t.endpoint_history} h set until = ${moment} from ${changed} c
    where h.account_id = c.account_id and h.endpoint_id = c.id and h.until = 'infinity'
  )`;

/** Who disabled an endpoint whose state is `disabled`. */
export const disabledByCommand = (of: string): string =>
  `case ${of}.disabled_by when 'host' then 'host' else 'partner' end`;

/** CTE that starts a new period for the endpoints in a CTE. */
export const insertHistory = (changed: string, isFirst: string, moment = 'c.state_since') => sql`noted as (
    insert into ${t.endpoint_history} (account_id, endpoint_id, since, until, is_first, state, events, include_children, disabled_by)
    select c.account_id, c.id, ${moment}, 'infinity', ${isFirst}, c.state, c.events, c.include_children,
      case c.state when 'disabled' then ${disabledByCommand('c')} when 'disabled_by_breaker' then coalesce(c.disabled_by, 'failing') end
    from ${changed} c
  )`;
