import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Texts } from './i18n.ts';
import type { AttemptCounts } from './portal.ts';

const height = 40;
const barWidth = 10;

/** Attempts by hour as bars, with the same numbers as a table for who cannot see them. @internal */
export const chart = ({ t, time, number }: Texts, { hours, isComplete }: AttemptCounts): TemplateResult => {
  const most = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed));
  const sum = (of: 'succeeded' | 'failed'): number => hours.reduce((total, each) => total + each[of], 0);
  const scaled = (count: number): number => (count / most) * height;
  const bars = hours.map(({ at, succeeded, failed }, index) => {
    const [good, bad] = [scaled(succeeded), scaled(failed)];
    const [x, width] = [index * barWidth + 1, barWidth - 2];
    return svg`<g>
      <title>${time(at)}: ${t('chart.bar', { succeeded, failed })}</title>
      <rect class="room" x=${x} y="0" width=${width} height=${height} />
      <rect class="good" x=${x} y=${height - good} width=${width} height=${good} />
      <rect class="bad" x=${x} y=${height - good - bad} width=${width} height=${bad} />
    </g>`;
  });
  return html`<figure class="panel" part="panel chart">
    <figcaption>
      ${t('chart.title', { hours: hours.length })}
      <strong>${t('chart.bar', { succeeded: sum('succeeded'), failed: sum('failed') })}</strong>
      ${isComplete ? nothing : html`<span class="muted">${t('chart.incomplete')}</span>`}
    </figcaption>
    <svg viewBox="0 0 ${hours.length * barWidth} ${height}" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
    <div class="row axis muted" aria-hidden="true">
      <span>${time(hours[0]?.at ?? 0)}</span><span>${t('chart.now')}</span>
    </div>
    <div class="hidden"><table>
      <caption>
        ${t('chart.title', { hours: hours.length })}
      </caption>
      <thead>
        <tr>
          <th scope="col">${t('event.time')}</th>
          <th scope="col">${t('chart.succeeded')}</th>
          <th scope="col">${t('chart.failed')}</th>
        </tr>
      </thead>
      <tbody>
        ${hours.map(
          ({ at, succeeded, failed }) =>
            html`<tr>
              <th scope="row">${time(at)}</th>
              <td>${number(succeeded)}</td>
              <td>${number(failed)}</td>
            </tr>`,
        )}
      </tbody>
    </table></div>
  </figure>`;
};
