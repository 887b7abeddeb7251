/** What each channel takes: one tuple of arguments a channel. Experiments are judged whole by the gate, so here they are any value. */
import { z } from 'zod';
import { DOCUMENTATION_LINKS, type DocumentationLink, type StoredSeries } from '../contract/app-api';
import { CALL, TELL } from '../contract/app-channels';
import { settingsPatchSchema } from '../contract/settings';

const none = z.tuple([]);
/** Ids are given out by main: letters, digits, dashes. */
const id = z.string().regex(/^[A-Za-z0-9-]{1,64}$/);
const title = z.string().min(1).max(200);
const filePath = z.string().min(1).max(4096);
const name = z.string().max(200);
const experiment = z.unknown();
const documentLinks = Object.keys(DOCUMENTATION_LINKS) as [DocumentationLink, ...DocumentationLink[]];

/** 64 MiB: a chart picture at high density or a long CSV stays far below. */
const MAX_EXPORT_BYTES = 64 * 1024 * 1024;
const bytes = z.instanceof(Uint8Array).refine((value) => value.byteLength <= MAX_EXPORT_BYTES, 'expected at most 64 MiB');

const MAX_SERIES_COLUMNS = 512;
const MAX_SERIES_POINTS = 65_536;
const doubles = z.instanceof(Float64Array).refine((value) => value.length <= MAX_SERIES_POINTS, `expected at most ${MAX_SERIES_POINTS} points`);
const storedSeries: z.ZodType<StoredSeries> = z.strictObject({
  start: z.number().min(0),
  bucketNs: z.number().min(0),
  columns: z.array(z.strictObject({ metric: z.string().min(1).max(200), min: doubles, max: doubles, last: doubles })).max(MAX_SERIES_COLUMNS),
});

export const CALL_SCHEMAS = {
  [CALL.appInfo]: none,
  [CALL.appOpenDocumentation]: z.tuple([z.enum(documentLinks)]),
  [CALL.appNotices]: none,
  [CALL.engineStatus]: none,
  [CALL.filesOpen]: none,
  [CALL.filesOpenPath]: z.tuple([filePath]),
  [CALL.filesOpenRecent]: z.tuple([id]),
  [CALL.filesRecent]: none,
  [CALL.filesForgetRecent]: z.tuple([id]),
  [CALL.filesSave]: z.tuple([experiment, id.optional()]),
  [CALL.filesSaveAs]: z.tuple([experiment, name]),
  [CALL.filesExport]: z.tuple([z.strictObject({ kind: z.enum(['png', 'csv', 'json']), suggestedName: name, bytes })]),
  [CALL.libraryList]: none,
  [CALL.libraryRead]: z.tuple([id]),
  [CALL.librarySave]: z.tuple([
    experiment,
    z.strictObject({ id: id.optional(), digest: z.string().regex(/^[0-9a-f]{32}$/).optional(), series: storedSeries.optional() }),
  ]),
  [CALL.libraryRename]: z.tuple([id, title]),
  [CALL.libraryDuplicate]: z.tuple([id]),
  [CALL.libraryDelete]: z.tuple([id]),
  [CALL.libraryUndelete]: z.tuple([id]),
  [CALL.libraryReadSeries]: z.tuple([id]),
  [CALL.draftRecoverable]: none,
  [CALL.settingsGet]: none,
  [CALL.settingsSet]: z.tuple([settingsPatchSchema]),
} as const;

export const TELL_SCHEMAS = {
  [TELL.windowReady]: none,
  [TELL.engineConnect]: none,
  [TELL.engineRestart]: none,
  [TELL.draftState]: z.tuple([z.strictObject({ unsaved: z.boolean(), title: z.string().max(200) })]),
  [TELL.draftAutosave]: z.tuple([experiment, id.optional()]),
  [TELL.draftDiscard]: none,
  [TELL.draftSavedBeforeClose]: z.tuple([z.boolean()]),
} as const;
