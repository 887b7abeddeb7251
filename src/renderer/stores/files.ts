import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { OpenOutcome, Refusal } from '../../contract/app-api';
import { useDocument } from './document';
import { useNavigation } from './navigation';
import { useRun } from './run';

/** Opening: from the dialog, from outside, from a drop, from the recent list. One way in for all. */
export const useFiles = defineStore('files', () => {
  const refusal = shallowRef<Refusal>();
  const doc = useDocument();
  const run = useRun();
  const navigation = useNavigation();

  async function take(outcome: OpenOutcome): Promise<boolean> {
    if (outcome.kind === 'refused') refusal.value = outcome.refusal;
    if (outcome.kind !== 'opened') return false;
    if (!(await doc.mayLeave())) return false;
    const { documentId, name, path, spec } = outcome.document;
    doc.open(spec, { kind: 'file', documentId, name, path });
    navigation.go('run');
    if (outcome.run) run.runSoon();
    return true;
  }
  const open = async (): Promise<boolean> => take(await window.swaplab.files.open());
  const openRecent = async (id: string): Promise<boolean> => take(await window.swaplab.files.openRecent(id));
  async function openDropped(list: FileList): Promise<void> {
    const [file] = list;
    if (file) await take(await window.swaplab.files.openDropped(file));
  }
  function start(): void { window.swaplab.files.onOpened((outcome) => { void take(outcome); }); }

  return { refusal, take, open, openRecent, openDropped, start };
});
