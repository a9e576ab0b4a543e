import { openMenu, type Menu } from './menu';
import type { Locator, Page } from './playwright';
import { waitFor } from './waitFor';

export interface TreeRowSeen {
  readonly label: string;
  readonly description: string;
  /** From 1. */
  readonly level: number;
  readonly expanded: boolean | null;
  /** What a screen reader says. */
  readonly spoken: string;
  readonly focused: boolean;
}

/** The views of a container in the side bar. */
export class Trees {
  constructor(private readonly page: Page) {}

  /** The view with this name, which stands open. */
  pane(name: string): Locator {
    return this.page.locator(`.part.sidebar .pane:has(.pane-header[aria-label^="${name}"])`);
  }

  /** The rows that are drawn, from above. */
  async rows(name: string): Promise<readonly TreeRowSeen[]> {
    const rows = await this.pane(name).locator('.monaco-list-row').all();
    const seen = await Promise.all(
      rows.map(async (row) => ({
        top: (await row.boundingBox())?.y ?? 0,
        label: cleaned(await textOf(row.locator('.label-name'))),
        description: cleaned(await textOf(row.locator('.label-description'))),
        level: Number(await row.getAttribute('aria-level')),
        expanded: expandedOf(await row.getAttribute('aria-expanded')),
        spoken: (await row.getAttribute('aria-label')) ?? '',
        focused: ((await row.getAttribute('class')) ?? '').includes('focused'),
      })),
    );
    return seen.sort((left, right) => left.top - right.top).map(({ top: _, ...row }) => row);
  }

  /** @param text of the whole row, where several have this label */
  row(name: string, label: string, text: RegExp = /^/): Locator {
    const exactly = new RegExp(`^${label.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
    return this.pane(name)
      .locator('.monaco-list-row', { hasText: text })
      .locator('.label-name', { hasText: exactly })
      .first()
      .locator('xpath=ancestor::*[@role="treeitem"]');
  }

  /** Waits for a row with this label whose description fits. */
  async waitFor(name: string, label: string, description: RegExp = /./): Promise<TreeRowSeen> {
    return waitFor(
      async () => (await this.rows(name)).find((row) => row.label === label && description.test(row.description)),
      { what: `the row ${label}, ${String(description)}, in ${name}` },
    );
  }

  /** Waits until keys go to the view, which is later than the end of the command that moves them there. */
  async waitForKeys(name: string): Promise<void> {
    await this.pane(name).locator('.monaco-list:focus, .monaco-list:focus-within').first().waitFor();
  }

  /** The names of the buttons of a row, which come when it is pointed at. */
  async buttons(name: string, label: string): Promise<readonly string[]> {
    const row = this.row(name, label);
    await row.hover();
    const all = await row.locator('.actions .action-label').all();
    return Promise.all(all.map(async (one) => (await one.getAttribute('aria-label')) ?? ''));
  }

  async press(name: string, label: string, button: string): Promise<void> {
    const row = this.row(name, label);
    await row.hover();
    await row.locator(`.actions .action-label[aria-label^="${button}"]`).click();
  }

  /** The native menu of a row. */
  menuOn(name: string, label: string, text?: RegExp): Promise<Menu> {
    return openMenu(this.page, label, () => this.row(name, label, text).click({ button: 'right' }));
  }

  /** What a view without rows says, and the names of its buttons. */
  async welcome(name: string): Promise<{ readonly text: string; readonly buttons: readonly string[] }> {
    const view = this.pane(name).locator('.welcome-view-content');
    await view.waitFor();
    return { text: cleaned(await view.innerText()), buttons: await view.locator('.monaco-button').allInnerTexts() };
  }

  /** The number on the container's icon; empty: none. */
  async badge(): Promise<string> {
    const icon = '.activitybar .action-item:has(.action-label[aria-label^="Mission Control"])';
    return textOf(this.page.locator(`${icon} .badge-content`));
  }
}

async function textOf(locator: Locator): Promise<string> {
  return (await locator.count()) === 0 ? '' : ((await locator.first().textContent()) ?? '');
}

function expandedOf(value: string | null): boolean | null {
  return value === null ? null : value === 'true';
}

function cleaned(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
