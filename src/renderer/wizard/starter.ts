/** The draft that a new experiment starts from: small enough to run in a moment, and it swaps. */
import { MACHINE_PRESETS } from './choices';
import type { Draft } from './draft';
import { addCgroup, addDevice, emptyDraft, takeKey } from './draft';
import { newStep } from './script/step-kinds';

export function starterDraft(): Draft {
  const draft = emptyDraft();
  const guest = MACHINE_PRESETS.find((preset) => preset.id === 'guest');
  if (guest) Object.assign(draft.machine, { ram: guest.ram, cpus: guest.cpus, nodes: guest.nodes });
  addDevice(draft, 'zram').priority = '100';
  addDevice(draft, 'partition');
  const group = addCgroup(draft);
  group.memoryMax = '256 MiB';
  group.swapMax = 'max';
  const start = newStep(takeKey(draft), 'start');
  Object.assign(start.fields, { size: '1 GiB', cgroup: group.path, hold: '10' });
  const wait = newStep(takeKey(draft), 'wait');
  wait.fields.program = 'hog';
  draft.script.push(start, wait, newStep(takeKey(draft), 'probe'));
  draft.title = 'New experiment';
  return draft;
}
