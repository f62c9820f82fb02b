import { LitElement } from 'lit';
import type { Portal } from '../portal.ts';

/**
 * A part of the portal with data of its own. It is an element without a shadow root, so that labels, descriptions,
 * styles and the host's `::part` rules reach into it. Its controllers begin when it is shown, and end when it is
 * left.
 * @internal
 */
export abstract class PortalPart extends LitElement {
  static override properties: Readonly<Record<string, object>> = { portal: { attribute: false } };

  declare portal: Portal;

  protected override createRenderRoot(): this {
    return this;
  }
}

/** A part that fills the page below the navigation. @internal */
export abstract class ScreenPart extends PortalPart {
  protected override firstUpdated(): void {
    this.portal.arrived(this.querySelector<HTMLElement>('h2'));
  }
}

/** Defines an element once, though a page may load the code twice. @internal */
export const define = (name: string, part: CustomElementConstructor): void => {
  // Absent on a server that renders pages.
  const { customElements: registry } = globalThis as { customElements?: CustomElementRegistry };
  if (registry && !registry.get(name)) registry.define(name, part);
};
