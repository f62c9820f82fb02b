import { html, nothing, type PropertyValues, svg, type TemplateResult } from 'lit';
import type { Bar } from '../statistics.ts';
import { define, PortalPart } from './portal-part.ts';

const height = 170;
const left = 40;
const top = 12;
const bottom = 24;
const room = height - top - bottom;

/** The end of the axis: the next number of 1, 2 or 5 and zeros. @internal */
export const axisEnd = (most: number): number => {
  if (most <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((end) => end >= most) ?? most;
};

/**
 * Attempts over time as bars with an axis. The numbers of a bar are shown on hover, and with the arrow keys. All of
 * them are in a table, too.
 */
class Chart extends PortalPart {
  static override properties = {
    ...PortalPart.properties,
    label: { attribute: false },
    bars: { attribute: false },
    isDaily: { attribute: false },
    selected: { state: true },
    width: { state: true },
  };

  declare label: string;
  declare bars: readonly Bar[];
  declare isDaily: boolean;
  declare selected: number | undefined;
  /** In pixels. */
  declare width: number;
  readonly #observer = new ResizeObserver(([entry]) => {
    const shown = Math.round(entry?.contentRect.width ?? 0);
    // What is not shown has no width.
    if (shown > 2 * left) this.width = shown;
  });

  constructor() {
    super();
    this.width = 640;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('isDaily')) this.selected = undefined;
  }

  #nameOf({ at }: Bar): string {
    const { texts } = this.portal;
    return this.isDaily ? texts.day(at) : texts.time(at);
  }

  #numbersOf(bar: Bar): string {
    const { t } = this.portal.texts;
    return `${this.#nameOf(bar)}: ${t('chart.bar', { succeeded: bar.succeeded, failed: bar.failed })}`;
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const last = this.bars.length - 1;
    const at = this.selected ?? last;
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      Home: 0,
      End: last,
    };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.selected = Math.min(last, Math.max(0, next));
  };

  #svg(end: number): TemplateResult {
    const { number } = this.portal.texts;
    const { width } = this;
    const step = (width - left) / this.bars.length;
    const y = (count: number): number => top + room - (count / end) * room;
    const every = Math.ceil(this.bars.length / Math.max(2, Math.floor(width / 110)));
    return svg`${[0, end / 2, end].map(
      (count) => svg`<line class="grid" x1=${left} x2=${width} y1=${y(count)} y2=${y(count)} />
        <text x=${left - 6} y=${y(count) + 4} text-anchor="end">${number(count)}</text>`,
    )}${this.bars.map((bar, index) => {
      const x = left + index * step;
      const bad = y(bar.succeeded + bar.failed);
      return svg`<g class=${this.selected === index ? 'selected' : ''} @pointerenter=${() => {
        this.selected = index;
      }}>
        <rect class="room" x=${x} y=${top} width=${step} height=${room} />
        <rect class="good" x=${x + step * 0.15} width=${step * 0.7} y=${y(bar.succeeded)} height=${top + room - y(bar.succeeded)} />
        <rect class="bad" x=${x + step * 0.15} width=${step * 0.7} y=${bad} height=${y(bar.succeeded) - bad} />
      </g>${
        index % every === 0
          ? svg`<text x=${x + step / 2} y=${height - 6} text-anchor="middle">${this.#nameOf(bar)}</text>`
          : nothing
      }`;
    })}` as TemplateResult;
  }

  override render(): TemplateResult {
    const { t, number } = this.portal.texts;
    const shown = this.bars[this.selected ?? this.bars.length - 1];
    const end = axisEnd(Math.max(...this.bars.map(({ succeeded, failed }) => succeeded + failed), 0));
    return html`<figure class="chart" part="chart">
      <div
        class="plot"
        role="slider"
        tabindex="0"
        aria-label=${this.label}
        aria-valuemin="0"
        aria-valuemax=${this.bars.length - 1}
        aria-valuenow=${this.selected ?? this.bars.length - 1}
        aria-valuetext=${shown ? this.#numbersOf(shown) : nothing}
        @keydown=${this.#onKey}
        @focus=${() => {
          this.selected ??= this.bars.length - 1;
        }}
        @blur=${() => {
          this.selected = undefined;
        }}
        @pointerleave=${() => {
          this.selected = undefined;
        }}
      >
        <svg viewBox="0 0 ${this.width} ${height}" height=${height} aria-hidden="true">${this.#svg(end)}</svg>
      </div>
      <figcaption>${this.selected !== undefined && shown ? this.#numbersOf(shown) : t('chart.hint')}</figcaption>
      <details>
        <summary>${t('chart.table')}<span class="hidden">: ${this.label}</span></summary>
        <div class="scroll tall" tabindex="0" role="group" aria-label=${this.label}>
          <table>
            <thead>
              <tr>
                <th scope="col">${t('event.time')}</th>
                <th scope="col" class="number">${t('chart.succeeded')}</th>
                <th scope="col" class="number">${t('chart.failed')}</th>
              </tr>
            </thead>
            <tbody>
              ${this.bars.map(
                (bar) =>
                  html`<tr>
                    <th scope="row">${this.#nameOf(bar)}</th>
                    <td class="number">${number(bar.succeeded)}</td>
                    <td class="number">${number(bar.failed)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>
    </figure>`;
  }
}

define('partnerkit-chart', Chart);

/** @internal */
export const chart = (
  portal: PortalPart['portal'],
  label: string,
  bars: readonly Bar[],
  isDaily: boolean,
): TemplateResult =>
  html`<partnerkit-chart .portal=${portal} .label=${label} .bars=${bars} .isDaily=${isDaily}></partnerkit-chart>`;

/** Bars without an axis, for a row of a list. Its text says the numbers. @internal */
export const sparkline = (label: string, bars: readonly Bar[]): TemplateResult => {
  const most = Math.max(1, ...bars.map(({ succeeded, failed }) => succeeded + failed));
  return html`<svg class="sparkline" viewBox="0 0 ${bars.length * 5} 24" role="img" aria-label=${label}>
    ${bars.map(({ succeeded, failed }, index) => {
      const [good, bad] = [(succeeded / most) * 22, (failed / most) * 22];
      return svg`<rect class="good" x=${index * 5} y=${23 - good} width="3" height=${good} />
        <rect class="bad" x=${index * 5} y=${23 - good - bad} width="3" height=${bad} />
        <rect class="room" x=${index * 5} y="23" width="3" height="1" />`;
    })}
  </svg>`;
};
