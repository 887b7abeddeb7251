/** Claims that speak of several arms: all arms are run beside the bench, and judged. */
import { expect, test } from '@playwright/test';
import { launch, removeTemporaryFolders } from './launch';

test.afterAll(removeTemporaryFolders);

test('from the gallery: all arms of an experiment are run, and every claim is judged', async () => {
  const { window, complaints, quit } = await launch();
  await window.getByTestId('nav-gallery').click();
  await window.getByTestId('builtin-default-priorities').click();
  await window.getByRole('button', { name: 'Judge claims' }).click();
  const verdict = window.getByTestId('verdict');
  await expect(verdict).toHaveAttribute('data-state', 'done', { timeout: 30_000 });
  await expect(verdict).toContainText(/Over all 6 runs\. Digest [0-9a-f]{32}/);
  const claims = window.getByTestId('claims');
  await expect(claims).toContainText('26 of 26 hold');
  await expect(claims.locator('li[data-holds="false"]')).toHaveCount(0);
  expect(complaints).toEqual([]);
  await quit();
});

test('what a program prints stands in a tab of its own, and the mTHP table counts it', async () => {
  const { window, complaints, quit } = await launch();
  await window.getByTestId('nav-gallery').click();
  await window.getByTestId('builtin-mthp-churn').click();
  await window.evaluate(async () => { await self.swaplab.settings.set({ speed: 'max' }); });
  await window.getByRole('article').getByRole('button', { name: 'Run', exact: true }).click();
  await window.getByRole('tab', { name: /Output/ }).click();
  const output = window.getByTestId('program-output');
  await expect(output).toContainText('Iteration 100:', { timeout: 30_000 });
  await expect(output).toContainText('churn: Iteration 1: swpout inc: 0, swpout fallback inc: 233, Fallback percentage: 100.00%');
  await window.getByRole('tab', { name: /mTHP/ }).click();
  await expect(window.getByTestId('mthp')).toContainText('64kB');
  expect(complaints).toEqual([]);
  await quit();
});
