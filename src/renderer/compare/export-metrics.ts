/** The table of metrics as a file. */
import { useToasts } from '../stores/toasts';
import { useCompare } from './compare-store';
import { useMetricChoice } from './metric-choice';
import { metricsCsv } from './metric-rows';

export async function saveExport(kind: 'png' | 'csv', suggestedName: string, bytes: Uint8Array): Promise<void> {
  const toasts = useToasts();
  const outcome = await window.swaplab.files.exportFile({ kind, suggestedName, bytes });
  if (outcome.kind === 'saved') toasts.show('Exported', { tone: 'ok', text: outcome.path });
  if (outcome.kind === 'failed') toasts.show('Not exported', { tone: 'bad', text: outcome.message });
}

export async function exportMetrics(): Promise<void> {
  const { result } = useCompare();
  if (!result) return;
  const { version } = await window.swaplab.info();
  const text = metricsCsv(result, useMetricChoice().rows, version);
  await saveExport('csv', `${result.title} side by side`, new TextEncoder().encode(text));
}
