/** axe-core in a window of the app. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];

/** What axe calls serious or critical, one line each. */
export async function serious(window: Page): Promise<string[]> {
  await window.evaluate(AXE);
  return window.evaluate(async (tags) => {
    interface Violation { id: string; impact: string; help: string; nodes: { target: string[]; failureSummary: string }[] }
    const { axe } = self as unknown as { axe: { run(context: Document, options: unknown): Promise<{ violations: Violation[] }> } };
    const { violations } = await axe.run(document, { runOnly: { type: 'tag', values: tags } });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')}: ${failureSummary}`));
  }, RULES);
}
